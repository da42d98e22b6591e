"""Opens pages of makebook explore in a headless Chromium and uses them as a reader does.

    python3 tests/clients/explore_page.py MAKEBOOK [SCREENSHOTS]

The larger half of the checks wants Debian's book of GNU Chess beside the project and is left out
without it; CAXTON_REQUIRE_DATA=1 makes that a fault. SCREENSHOTS: a folder for pictures of the page.
Exits 0 when all is well, 1 with a line for each fault, 77 when there is no Chromium here
(1 with CAXTON_REQUIRE_TOOLS=1 in the environment)."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.parse

from webdriver import Browser, Missing

HERE = os.path.dirname(os.path.abspath(__file__))
BIG_BOOK = os.path.join(HERE, "../../../shared/data/books/gnuchess.bin")
NAJDORF = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"

BIG_KEY = "bf29a6086ab02bd6"  # of the position after 1.e4 c5 2.Nf3

GAMES = "".join(f'[Event "x"]\n[Result "{result}"]\n\n{moves} {result}\n\n' for moves, result in [
    ("1. e4 c5 2. Nf3 d6 3. d4", "1-0"),
    ("1. e4 c5 2. Nf3 d6 3. Bb5+", "1/2-1/2"),
    ("1. e4 c5 2. Nf3 Nc6", "0-1"),
    ("1. Nf3 c5 2. e4 d6", "1-0"),
    ("1. d4 d5 2. c4 e6", "0-1"),
])
# Told apart by rating, speed and month: Elo of White (Black has 1500), time control, date, moves.
FILED = "".join(f'[Event "x"]\n[Date "{date}"]\n[WhiteElo "{elo}"]\n[BlackElo "1500"]\n'
                f'[TimeControl "{control}"]\n\n{moves}\n\n' for elo, control, date, moves in [
                    (1900, "180+2", "2019.03.01", "1. e4 e5 1-0"),
                    (1400, "60", "2022.05.09", "1. e4 c5 2. Nf3 0-1"),
                    (2400, "60", "2024.??.??", "1. e4 c5 1/2-1/2"),
                    (1500, "600", "2024.06.01", "1. d4 d5 1-0"),
                    ("?", "?", "????.??.??", "1. Nf3 d5 1-0")])
LINES = "".join(f'[Event "x"]\n\n{moves} *\n\n' for moves in [
    "1. e4 {[%weight 1234567]} c5 {[%weight 10]} 2. Nf3 {[%weight 5]} d6 {[%weight 0]}",
    "1. Nf3 {[%weight 7]} c5 {[%weight 1]} 2. e4 {[%weight 1]}",
])

# 1. e4 f6 scores best, and loses.
SCORED = "".join(f'[Event "x"]\n[Result "{moves.split()[-1]}"]\n\n{moves}\n\n' for moves in [
    "1. e4 {[%eval 0.3]} f6 {[%eval 1.9]} 2. Qh5+ {[%eval #-3]} g6 0-1",
    "1. e4 e5 {[%eval 0.25]} 2. Nf3 1-0", "1. d4 d5 1/2-1/2", "1. Nf3 d5 1/2-1/2"])

# White's repertoire; games that leave it by 3. Bc4, by 2... Nc6 after 1... c5, and at its end.
MINE = "[Event \"White\"]\n\n1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *\n"
LEFT = "".join(f'[Event "x"]\n[Site "{site}"]\n[White "Me"]\n[Black "{black}"]\n'
               f'[Result "{moves.split()[-1]}"]\n\n{moves}\n\n' for site, black, moves in [
                   ("https://games.example/1", "A", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 0-1"),
                   ("?", "D", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 1/2-1/2"),
                   ("?", "B", "1. e4 c5 2. Nf3 Nc6 3. d4 cxd4 1-0"),
                   ("?", "C", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1/2-1/2")])

START = urllib.parse.quote("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")

# SAN without the numbers of the row, its weight, share, opening and what it says about transpositions.
ROWS = """return [...document.querySelectorAll("#moves a")].map((row) => {
    const text = (name) => (row.querySelector(name) || {textContent: ""}).textContent;
    return {san: text(".san"), uci: row.dataset.uci, weight: text(".weight"),
        share: text(".percent"), code: text(".code"), name: text(".opening-name"),
        order: text(".transposes"), results: (row.querySelector(".results") || {title: ""}).title,
        score: text(".score"), search: text(".search")};
})"""


class Page:
    def __init__(self, browser):
        self.browser = browser
        self.faults = []

    def expect(self, what, found, wanted):
        if found != wanted:
            self.faults.append(f"{what}: {found!r} instead of {wanted!r}")

    def open(self, path, link=""):
        self.browser.open("about:blank")
        self.browser.open("file://" + path + link)
        return int(self.browser.wait("return document.body.dataset.ready", "the page"))

    def visit(self, url):
        self.browser.open("about:blank")
        self.browser.open(url)
        return int(self.browser.wait("return document.body.dataset.ready", "the page"))

    def reach(self, what, line):
        """A served position comes when its moves have come."""
        self.browser.wait(f"""return [...document.querySelectorAll("#line .ply:not(.ahead)")].slice(1)
            .map((ply) => ply.textContent).join(" ") === {line!r}""", f"{what}: {line}")

    def text(self, selector):
        return self.browser.run("return document.querySelector(arguments[0]).textContent", selector)

    def line(self):
        """The moves up to the position on the board."""
        return self.browser.run("""return [...document.querySelectorAll("#line .ply:not(.ahead)")]
            .slice(1).map((ply) => ply.textContent).join(" ")""")

    def rows(self):
        return self.browser.run(ROWS)

    def sans(self):
        return [row["san"] for row in self.rows()]

    def play(self, san):
        index = self.sans().index(san)
        self.browser.click(f"#moves li:nth-child({index + 1}) a")

    def search(self, text):
        self.browser.run("document.getElementById('search').value = ''")
        self.browser.type("#search", text + "\ue007")

    def square(self, name):
        """The middle of a square on the screen."""
        return self.browser.run("""const box = document.getElementById("board")
                .getBoundingClientRect(), size = box.width / 8;
            let column = "abcdefgh".indexOf(arguments[0][0]), row = 8 - arguments[0][1];
            if (document.getElementById("board").classList.contains("flipped"))
                [column, row] = [7 - column, 7 - row];
            return [box.left + size * (column + 0.5), box.top + size * (row + 0.5)]""", name)

    def drag(self, start, end):
        self.browser.run("window.scrollTo(0, 0)")
        self.browser.drag(self.square(start), self.square(end))


def check_layout(page):
    """Nothing is wider than a phone, in any position of a long line."""
    for width in (360, 412, 768, 1280):
        page.browser.resize(width, 780)
        found = page.browser.run("return document.documentElement.scrollWidth")
        page.expect(f"{width} px wide, the page", found <= width, True)
    page.browser.resize(1280, 860)


def check_rules(page):
    """The page's own rules of chess, by published counts."""
    count = """const count = (pos, depth) => depth === 0 ? 1 :
        pos.legalMoves().reduce((sum, m) => sum + count(pos.play(m), depth - 1), 0);
        return count(parseFen(arguments[0]), arguments[1])"""
    for fen, depth, wanted in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, 8902),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97862),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43238),
            ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9467),
            ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3, 12189)]:
        page.expect(f"{fen}, moves to depth {depth}", page.browser.run(count, fen, depth), wanted)
    # Where the king's way of castling is one step, its name is that step.
    for fen, words, wanted in [("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "f1g1", ["f1g1"]),
                               ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "f1h1", ["f1h1"]),
                               ("4k3/8/8/8/8/8/8/R2K4 w Q - 0 1", "d1c1", ["d1c1"]),
                               ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", ["e1h1"])]:
        page.expect(f"{fen} {words}", page.browser.run(
            "const pos = parseFen(arguments[0]); return parseLine(pos, arguments[1]).map("
            "(m) => squareName(moveFrom(m)) + squareName(moveTo(m)))", fen, words), wanted)
    variant = "return /Variant \"Chess960\"/.test(pgnOf(rootOfFen(arguments[0]), ''))"
    page.expect("a copied game of Chess960", page.browser.run(
        variant, "4k3/8/8/8/8/8/8/5K1R w K - 0 1"), True)
    page.expect("a copied game", page.browser.run(variant, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"), False)


def check_big_book(page, path):
    """Clicks through 1.e4 c5 2.Nf3 of Debian's book."""
    page.open(path)
    page.expect("heading", page.text("h1"), "gnuchess.bin")
    page.expect("facts", page.text("#facts"), "Polyglot · 131,133 positions · 161,693 moves")
    page.expect("first moves", page.sans()[:4], ["e4", "d4", "Nf3", "c4"])
    page.play("e4")
    page.expect("after 1.e4", page.text("#name"), "King's Pawn Game")
    page.play("c5")
    page.expect("after 1.e4 c5", page.text("#eco") + page.text("#name"), "B20Sicilian Defense")
    rows = page.rows()
    page.expect("second moves", [(row["san"], row["weight"], row["share"]) for row in rows[:3]],
                [("Nf3", "12,254", "85.1%"), ("Nc3", "969", "6.7%"), ("c3", "642", "4.5%")])
    page.expect("name behind 2.Nf3", rows[0]["code"] + rows[0]["name"], "B27Sicilian Defense")
    page.expect("transposition of 2.Nf3", rows[0]["order"], "⇄ 1.Nf3 c5 2.e4")
    page.play("Nf3")
    page.expect("line", page.line(), "1.e4 c5 2.Nf3")
    page.expect("opening", page.text("#eco") + page.text("#name"), "B27Sicilian Defense")
    page.expect("key", page.text("#key"), BIG_KEY)
    page.expect("replies", page.sans()[:3], ["d6", "Nc6", "e6"])
    page.browser.wait("return location.hash === '#e4,c5,Nf3'", "the address")
    page.search(NAJDORF)
    page.expect("Najdorf", page.text("#eco") + page.text("#name"),
                "B90Sicilian Defense: Najdorf Variation")
    page.expect("line to the Najdorf", page.line(),
                "1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6")
    page.search("grünfeld defense")
    page.expect("search by name", page.text("#name")[:8], "Grünfeld")
    page.browser.wait("return book.indexed", "the index")
    for text in ("gruenfeld defence", "grünf", "D80"):
        page.search("e4")
        page.search(text)
        page.expect(f"search for {text}", page.text("#name")[:8], "Grünfeld")
    for text in ("B90", "b90 najdorf", "najdrof"):
        page.search("e4")
        page.search(text)
        page.expect(f"search for {text}", page.text("#eco") + page.text("#name"),
                    "B90Sicilian Defense: Najdorf Variation")
    page.search("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3")
    page.expect("a long line", page.sans()[:2], ["d6", "O-O"])
    check_layout(page)


def check_moves(page, path):
    """Weights of a small book: search, keys, the mouse, links."""
    browser = page.browser
    page.open(path)
    rows = page.rows()
    page.expect("weights", [(row["san"], row["weight"]) for row in rows],
                [("e4", "1,234,567"), ("Nf3", "7")])
    browser.press("ArrowRight", "1")
    page.expect("right arrow and 1", page.line(), "1.e4 c5")
    page.expect("transposition", page.rows()[0]["order"], "⇄ 1.Nf3 c5 2.e4")
    browser.press("ArrowDown", "Enter")
    page.expect("down and Enter", page.line(), "1.e4 c5 2.Nf3")
    page.expect("never played", page.text("#moves .chip"), "known, never played")
    page.expect("other orders", page.text("#extras"), "Other move orders1.Nf3 c5 2.e4")
    browser.click("#extras a")
    page.expect("another order", page.line(), "1.Nf3 c5 2.e4")
    browser.press("ArrowLeft", "ArrowLeft")
    page.expect("two back", page.line(), "1.Nf3")
    browser.press("End")
    page.expect("End", page.line(), "1.Nf3 c5 2.e4")
    browser.press("Home")
    page.expect("Home", page.line(), "")
    browser.press("f")
    page.expect("flipped", browser.run(
        "return document.getElementById('board').className"), "flipped")
    page.drag("g1", "f3")
    page.expect("dragged", page.line(), "1.Nf3")
    browser.press("f")
    page.drag("c7", "c7")
    page.drag("c5", "c5")
    page.expect("clicked", page.line(), "1.Nf3 c5")
    browser.press("ArrowLeft")
    page.drag("a7", "a5")
    page.expect("off the book", page.line() + ": " + page.text("#totals"),
                "1.Nf3 a5: The book knows no move here. ")
    page.drag("b1", "c3")
    browser.click("#totals a")
    page.expect("back into the book", page.line(), "1.Nf3")
    browser.wait("return location.hash === '#Nf3'", "the address")  # not written at once
    page.search("e4 c5 Nf3")
    browser.wait("return location.hash === '#e4,c5,Nf3'", "the address")
    browser.command("POST", "/back")
    browser.wait("return location.hash === '#Nf3'", "the address before")
    page.expect("back by the browser", page.line(), "1.Nf3")
    page.search("rnbqkbnr/pp1ppppp/8/2p5/8/4PN2/PPPP1PPP/RNBQKB1R w KQkq - 0 3")
    page.expect("a move into the book", page.text("#extras"),
                "Lead back into the book3.e4 B27 Sicilian Defense")
    browser.click("#extras a")
    page.expect("in the book again", page.sans(), ["d6"])
    for text, line in [("1.e4 c5 2.Nf3", "1.e4 c5 2.Nf3"), ("e4 c5", "1.e4 c5"),
                       ("g1f3 c7c5", "1.Nf3 c5")]:
        page.search(text)
        page.expect(f"search for {text}", page.line(), line)
    page.search("e4 e4")
    page.expect("an illegal move", page.text("#error"), "Move 2: “e4” is not legal here.")
    page.search("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2")
    page.expect("search by FEN", page.line(), "1.e4 c5 2.Nf3")
    page.search("8/8/8/8/8/8/8/K7 w - - 0 1")
    page.expect("no FEN", page.text("#error"), "Each side has one king.")
    page.open(path, "#e4,c5")
    page.expect("by link", page.line(), "1.e4 c5")
    page.open(path, "#fen=8/P6k/8/8/8/8/8/K7_w_-_-_0_1")
    page.drag("a7", "a8")
    browser.click("#chooser [aria-label=knight]")
    page.expect("promotion", page.line() + page.text("#fen"),
                "1.a8=NN7/7k/8/8/8/8/8/K7 b - - 0 1")
    page.open(path, "#e4,Ke2")
    page.expect("a bad link", page.text("#error")[:40], "The link names no position of this page.")
    check_layout(page)


def check_reading(page, path):
    """What is copied; what is printed; what those hear who see no board."""
    browser = page.browser
    page.open(path, "#e4,c5")
    browser.run("""copy = (button, text) => { document.body.dataset.copied = text; }""")
    for button, wanted in [
            ("san", "1.e4 c5"), ("fen", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
            ("pgn", '[Event "lines.pgn"]\n[Result "*"]\n[ECO "B20"]\n'
                    '[Opening "Sicilian Defense"]\n\n1. e4 c5 *\n')]:
        browser.click(f"#copy-{button}")
        page.expect(f"copied as {button}", browser.run("return document.body.dataset.copied"), wanted)
    page.expect("said", page.text("#said"), "1…c5. Sicilian Defense. 1 moves in the book.")
    page.expect("the row, as read", browser.run(
        "return document.querySelector('#moves a').getAttribute('aria-label')"),
        "Nf3, 100.0%, weight 5, B27 Sicilian Defense, transposes")
    page.expect("without a name", browser.run("""return [...document.querySelectorAll(
        "button, input, [role=img], [role=dialog], [role=listbox], nav, section, a")].filter((one) =>
        !one.textContent.trim() && !one.getAttribute("aria-label")).map((one) => one.outerHTML)"""), [])
    browser.run("document.querySelector('a').focus()")
    browser.press("Enter")
    page.expect("the first link leads to the moves", browser.run(
        "return document.activeElement.dataset.uci"), "g1f3")
    browser.cdp("Emulation.setEmulatedMedia", media="print")
    page.expect("on paper", browser.run("""return ["#board", "#moves", ".controls", "#search-form",
        ".export"].map((name) => document.querySelector(name).getClientRects().length > 0)"""),
        [True, True, False, False, False])
    browser.cdp("Emulation.setEmulatedMedia", media="")


def check_two(page, path):
    """Two books side by side: what either knows, with the share in both."""
    rows = """return [...document.querySelectorAll("#moves a")].map((row) => [
        row.querySelector(".san").textContent, ...[...row.querySelectorAll(".side")].map((side) =>
            (side.querySelector(".percent") || side).textContent)])"""
    page.open(path)
    page.expect("heading of two", page.text("h1"), "lines.pgn and games.wld")
    page.expect("moves of two", page.browser.run(rows),
                [["e4", "100.0%", "60.0%"], ["Nf3", "0.0%", "20.0%"], ["d4", "–", "20.0%"]])
    page.expect("games and score", page.text("#moves .side.rival .weight"), "3 · 50.0%")
    page.play("d4")
    page.expect("where only the second goes on", page.browser.run(rows), [["d5", "–", "100.0%"]])
    page.browser.press("1")
    page.expect("by a key", page.line(), "1.d4 d5")
    page.search("1.Nf3 c5 2.e4")
    page.expect("where both go on", page.browser.run(rows), [["d6", "0.0%", "75.0%"],
                                                             ["Nc6", "–", "25.0%"]])
    page.expect("games of the second", page.browser.run(
        "return document.querySelector('#extras .extra:last-child h3').textContent"),
        "Sample games of games.wld")
    page.search("queen's gambit")
    page.expect("a name that only the second has", page.line(), "1.d4 d5 2.c4")
    page.expect("row as read", page.browser.run("""goTo(0);
        return document.querySelector("#moves a").getAttribute("aria-label")"""),
        "e4, lines.pgn 100.0%, weight 1,234,567, games.wld 60.0%, 3 games, B00 King's Pawn Game")
    check_layout(page)


def check_counts(page, path):
    """Results of games, from White's side whoever is to move."""
    page.open(path)
    page.expect("counts", [(row["san"], row["weight"], row["score"]) for row in page.rows()],
                [("e4", "3", "50.0%"), ("Nf3", "1", "100.0%"), ("d4", "1", "0.0%")])
    page.expect("results", page.rows()[0]["results"], "White wins 1, draws 1, Black wins 1")
    page.expect("games", page.text("#totals .count"), "White to move · 3 moves · 5 games")
    page.play("d4")
    page.expect("results of Black's move", page.rows()[0]["results"],
                "White wins 0, draws 0, Black wins 1")
    page.expect("heading", page.text("h1"), "<script>alert(1)</script>")
    page.search("1.e4 c5 2.Nf3")
    check_more(page)
    page.search("1.d4 d5 2.c4")
    page.browser.click("#extras .game")
    page.browser.press("End")
    page.expect("the end of a game", page.line(), "1.d4 d5 2.c4 e6")
    page.browser.press("ArrowLeft", "ArrowLeft", "ArrowLeft")
    page.expect("a game by its keys", page.line(), "1.d4")
    check_layout(page)


def check_expected(page, path):
    """White's lines against the games: by both orders of moves 2... d6 (2.5 of 3) and Nc6 (0 of 1)."""
    expected = "return [...document.querySelectorAll('#moves .expected')].map((e) => e.textContent)"
    page.open(path)
    page.expect("own moves", [(row["san"], row["weight"], row["score"]) for row in page.rows()],
                [("e4", "3", "50.0%"), ("Nf3", "1", "100.0%")])
    page.expect("expected", page.browser.run(expected), ["62.5% ≥ 18.5%", "62.5% ≥ 8.3%"])
    page.expect("games of own moves", page.text("#totals .count"), "White to move · 2 moves · 4 games")
    page.search("1.e4 c5 2.Nf3")
    page.expect("replies as White scores", [(row["san"], row["score"]) for row in page.rows()],
                [("d6", "83.3%"), ("Nc6", "0.0%")])
    page.expect("row as read", page.browser.run(
        "return document.querySelector('#moves a').getAttribute('aria-label').slice(0, 86)"),
        "d6, 75.0%, 3 games, won 0, drawn 1, lost 2, expected 83.3%, at least 31.0%, B50 Sicili")
    check_layout(page)


def check_scores(page, url):
    """Scores of searches beside the moves, and what they refute."""
    page.visit(url)
    page.expect("scores", [(row["san"], row["search"]) for row in page.rows()],
                [("e4", "0.30"), ("Nf3", ""), ("d4", "")])
    page.play("e4")
    page.reach("a move with a score", "1.e4")
    found = sorted((row["san"], row["search"]) for row in page.rows())
    page.expect("what loses", found, [("e5", "-0.25"), ("f6", "-1.90??")])
    page.expect("whose scores", page.browser.run(
        "return document.querySelector('#moves [data-uci=f7f6] .search').title"),
        "Scored well, loses by search: evaluations in games")
    page.play("f6")
    page.reach("a move behind it", "1.e4 f6")
    page.expect("a mate", page.rows()[0]["search"], "#-3")
    check_layout(page)


def check_review(page, path, wide):
    """Where games left the book, by signs and words, wherever one stands in the tree."""
    marks = """return [...document.querySelectorAll("#moves .found, #moves .behind")].map((chip) =>
        chip.closest("a").querySelector(".san").textContent + " " + chip.textContent)"""
    browser = page.browser
    page.open(path)
    browser.wait("return book.indexed", "the index")
    page.expect("before all", browser.run(marks), ["e4 ⚑ 3"])
    page.expect("how it is read", browser.run(
        "return document.querySelector('#moves a').getAttribute('aria-label')"),
        "e4, 100.0%, weight 1, B00 King's Pawn Game, behind it the games left the book in 3 "
        "positions: 4 games, +0.00 points")
    page.play("e4")
    page.expect("where it parts", sorted(browser.run(marks)), ["c5 ⚑ 1", "e5 ⚑ 2"])
    page.search("1.e4 c5 2.Nf3")
    page.expect("a reply without an answer", page.text("#extras .into"), "2…Nc6 B30 Sicilian "
                "Defense: Old Sicilian? 1× +0.50")
    browser.click("#extras .into")
    page.expect("the gap", page.text("#review"), "? White has no answer here: 1 game, +0.50 points"
                "Played3.d4 B32 Sicilian Defense: Open 1×In games such asMe - B 1-0 ?")
    page.search("1.e4 e5 2.Nf3 Nc6")
    page.expect("the book's move", browser.run(marks), ["Bb5 ⚑ 1"])
    page.expect("what was played instead", page.text("#review"), "≠ White left the book here: "
                "2 games, −0.50 pointsBook: Bb5Played3.Bc4 C50 Italian Game≠ 2×In games such as"
                "Me - A 0-1 ?Me - D 1/2-1/2 ?")
    page.expect("a game's address", browser.run(
        "return [...document.querySelectorAll('#review a.order')].map((link) => link.href)"),
        ["https://games.example/1"])
    page.search("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6")
    page.expect("before the end", browser.run(marks), ["Ba4 ■ 1× +0.00"])
    page.play("Ba4")
    page.expect("the end", page.text("#review h3"),
                "■ White has a line that ends here: 1 game, +0.00 points")
    browser.press("Home")
    page.expect("nothing at the start", page.text("#review"), "")
    browser.resize(400, 780)
    for link in ("#e4,c5,Nf3", "#e4,e5,Nf3,Nc6"):
        page.open(path, link)
        check_layout(page)
    page.open(wide, "#e4,c5,Nf3,Nc6")
    page.expect("answered since", page.text("#review h3"),
                "? White has no answer here: 1 game, +0.50 points ✓ answered by now")


def ask(port, method, path, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode(errors="replace")
    connection.close()
    return answer.status, text


def check_requests(page, port):
    """Whatever is sent, the answer is one of HTTP, and the server goes on."""
    for method, path, headers, status in [
            ("GET", "/moves", {}, 400), ("GET", "/moves?fen=", {}, 400),
            ("GET", "/moves?fen=" + "8/" * 4000, {}, 400), ("GET", "/moves?fen=%00%ff%2f", {}, 400),
            ("GET", "/moves?fen=8/8/8/8/8/8/8/K7+w+-+-+0+1", {}, 400),
            ("GET", "/more", {}, 400), ("GET", "/more?fen=" + START + "&line=1153,1153", {}, 400),
            ("GET", "/more?fen=" + START + "&line=,", {}, 400),
            ("GET", "/more?fen=" + START + "&line=-1", {}, 400),
            ("GET", "/more?fen=" + START, {}, 200),
            ("GET", "/../../etc/passwd", {}, 404), ("POST", "/", {}, 405),
            ("GET", "/", {"Host": "elsewhere.example"}, 400),
            ("GET", "/moves", {"Host": "127.0.0.1.elsewhere.example"}, 400)]:
        page.expect(f"{method} {path[:40]} {headers}", ask(port, method, path, **headers)[0], status)
    for rubbish in (b"\r\n\r\n", b"GET", bytes(range(256)) * 200, b"GET / HTTP/1.1\r\nA: " + b"a" * 99999):
        with socket.create_connection(("127.0.0.1", port)) as line:
            try:
                line.sendall(rubbish)
                line.shutdown(socket.SHUT_WR)
                while line.recv(4096):
                    pass
            except OSError:  # it hung up
                pass
    status, text = ask(port, "GET", "/moves?fen=" + urllib.parse.quote(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))
    page.expect("the start", (status, text.count("[") - 2), (200, 3))


def check_more(page):
    """Other orders of the line's moves, and games that come to the position."""
    extras = """return [...document.querySelectorAll("#extras .extra")].map((part) => [
        part.querySelector("h3").textContent,
        ...[...part.querySelectorAll("li")].map((item) => item.textContent)])"""
    page.browser.wait("return document.querySelector('#extras .game')", "the sample games")
    (heading, *orders), (games_heading, *games) = page.browser.run(extras)
    page.expect("other orders", (heading, orders), ("Other move orders", ["1.Nf3 c5 2.e4"]))
    page.expect("sample games", (games_heading, len(games), games[0][:3]), ("Sample games", 3, "? –"))
    page.browser.click("#extras .game")
    page.browser.wait("return document.querySelector('#line .ply.ahead')", "the game on the board")
    page.expect("where the game comes to the position", page.line() in
                ("1.e4 c5 2.Nf3", "1.Nf3 c5 2.e4"), True)
    page.search("1.Nf3 c5 2.e4")
    page.reach("the other order", "1.Nf3 c5 2.e4")
    page.browser.wait("return document.querySelector('#extras .order:not(.game)')", "the first order")
    page.browser.click("#extras .order:not(.game)")
    page.reach("the first order", "1.e4 c5 2.Nf3")


def check_served(page, url):
    """The same page, its positions asked for one by one."""
    browser = page.browser
    page.visit(url)
    page.expect("facts of a served book", page.text("#facts"), "statistics · 14 moves")
    page.expect("first served moves", [(row["san"], row["weight"], row["score"])
                                       for row in page.rows()],
                [("e4", "3", "50.0%"), ("Nf3", "1", "100.0%"), ("d4", "1", "0.0%")])
    page.play("e4")
    page.reach("a served move", "1.e4")
    browser.press("ArrowDown", "Enter")
    page.reach("a key", "1.e4 c5")
    page.expect("the list keeps the focus",
                browser.run("return document.activeElement.dataset.uci"), "g1f3")
    browser.press("Home")
    page.reach("home", "")
    page.search("B27")
    page.reach("search by code", "1.e4 c5 2.Nf3")
    page.expect("served opening", page.text("#eco") + page.text("#name"), "B27Sicilian Defense")
    check_more(page)
    page.search("rnbqkbnr/pp1ppppp/8/2p5/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2")
    browser.wait("return document.getElementById('fen').textContent.includes('0 2')", "the FEN")
    page.expect("served FEN", page.sans(), ["e4"])
    page.drag("a2", "a3")
    page.reach("off the served book", "2.a3")
    page.expect("nothing served", page.text("#totals"), "The book knows no move here. ")
    page.visit(url + "#d4,d5")
    page.expect("a served link", page.line() + page.sans()[0], "1.d4 d5c4")
    page.search("1.e4 Nf6")
    page.reach("a move that the book does not know", "1.e4 Nf6")
    browser.click("#line .ply:nth-child(2)")
    page.reach("back", "1.e4")
    check_layout(page)
    page.visit(url)
    page.expect("requests of a served page", browser.run("""return [...new Set(
        performance.getEntriesByType("resource").map((entry) => new URL(entry.name).host))]"""),
        [urllib.parse.urlsplit(url).netloc])


def check_served_start(page, url):
    """An opening is found, though lines begin after 1.e4."""
    page.visit(url)
    page.expect("a served start", page.sans(), ["c5"])
    page.search("B27")
    page.reach("an opening by its code", "1.e4 c5 2.Nf3")


def check_facets(page, url):
    """Some of the games, by keys, by clicks and by link; a move's years and ratings."""
    browser = page.browser

    def counts(what, wanted):
        """The moves with their games, when they have come."""
        browser.wait(f"""return [...document.querySelectorAll("#moves a")].map((row) => row
            .querySelector(".san").textContent + row.querySelector(".weight").textContent)
            .join(" ") === {wanted!r}""", f"{what}: {wanted}")

    def address(wanted):
        browser.wait(f"return location.hash === {wanted!r}", f"the address {wanted}")
    handle = "document.querySelectorAll('#asked input')[{}].focus()"
    page.visit(url)
    counts("all games", "e43 Nf31 d41")
    page.expect("mean ratings", browser.run(
        "return [...document.querySelectorAll('#moves .rating')].map((one) => one.textContent)"),
        ["1900", "", "1500"])
    page.expect("how it is read", browser.run("return describeMove(shown.entries[0])"),
                "e4, 60.0%, 3 games, won 1, drawn 1, lost 1, mean rating 1900, B00 King's Pawn Game")
    browser.wait("return document.querySelector('#trends svg')", "the years and ratings")
    page.expect("years of a move", browser.run(
        "return [...document.querySelectorAll('#trends [role=img]')].map((one) => "
        "one.getAttribute('aria-label'))"),
        ["e4, 2019–2024: 75.0% of 4 games; 2019–2024: 75.0% of 4 games",
         "e4, 1400–1599: 0.0% of 1 games; 1600–1799: 100.0% of 1 games; "
         "1800–1999: 50.0% of 1 games"])
    browser.press("ArrowDown", "ArrowDown", "ArrowDown")
    page.expect("of the chosen move", page.text("#trends h3"), "d4")
    browser.run(handle.format(0))
    browser.press(*["ArrowRight"] * 4)
    counts("from 1600", "e42")
    page.expect("the focus stays", browser.run(
        "return document.activeElement.getAttribute('aria-valuetext')"), "from 1600")
    page.expect("what is asked for", page.text("#asked summary"), "Rating from 1600")
    browser.run(handle.format(1))
    browser.press("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft")
    counts("1600 to 1799", "e41")
    address("#&ratings=1600")
    browser.run("document.querySelector('#asked summary').focus()")
    browser.press("Enter")
    page.expect("folded by a key, and no move played", (page.line(), browser.run(
        "return document.getElementById('asked').open")), ("", False))
    page.expect("what is said", page.text("#said"), "Start. Start position. 1 moves in the book, "
                "1 games.")
    browser.press("Enter")
    browser.click("#asked > button")
    counts("all games again", "e43 Nf31 d41")
    browser.click("#asked .speeds button:nth-child(2)")
    counts("bullet", "e42")
    address("#&speeds=bullet")
    page.play("e4")
    page.reach("a move among them", "1.e4")
    address("#e4&speeds=bullet")
    counts("bullet after 1.e4", "c52")
    browser.run(handle.format(2))
    browser.press(*["ArrowRight"] * 5)
    counts("of 2024", "c51")
    address("#e4&speeds=bullet&since=2024-01")
    browser.command("POST", "/back")
    counts("back by the browser", "c52")
    page.expect("what is asked for then", page.text("#asked summary"), "bullet")
    page.visit(url + "#e4&ratings=1400,1600&until=2022-12")
    counts("by link", "c51 e51")
    page.expect("a link in words", page.text("#asked summary"), "Rating 1400–1799 · Years to 2022")
    page.expect("links keep it", browser.run("return document.querySelector('#moves a').hash"),
                "#e4,c5&ratings=1400,1600&until=2022-12")
    page.visit(url + "#e4&speeds=slow")
    page.expect("a bad link", page.text("#error")[:40], "The link names no position of this page.")
    page.expect("without a name", browser.run("""return [...document.querySelectorAll(
        "#asked input, #asked button, #asked [role=group], #trends [role=img]")].filter((one) =>
        !one.textContent.trim() && !one.getAttribute("aria-label")).length"""), 0)
    check_layout(page)


def serve_and_check(page, program, book, check, *words):
    """Starts the server, uses it, and ends it as Ctrl-C does."""
    server = subprocess.Popen([program, "explore", book, "--serve", "--port", "0", *words],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        url = server.stdout.readline().strip()
        if not url:
            told = server.communicate()[1]
            print("not served: " + told.strip())
            page.expect("why not", "without libmicrohttpd" in told, True)
            return
        check(page, url)
        check_requests(page, urllib.parse.urlsplit(url).port)
        server.send_signal(signal.SIGINT)
        page.expect("the end of the server", (server.wait(60), server.stderr.read()), (0, ""))
    finally:
        server.kill()
        server.wait()


def make(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"makebook {' '.join(words)}: {done.stderr}")
    return done.stdout


def measure(page, path):
    times = sorted(page.open(path) for _ in range(5))
    index = page.browser.wait("return book.indexed && performance.now()", "the index")
    size = os.path.getsize(path)
    print(f"{size / 1e6:.2f} MB: shown after {times[2]} ms (median of 5), "
          f"all positions indexed after {index:.0f} ms")


def picture(page, path, link, name, folder, width, height, dark=False):
    page.browser.resize(width, height, 2 if width < 500 else 1, dark)
    page.open(path, link)
    page.browser.wait("return book.indexed", "the index")
    page.browser.screenshot(os.path.join(folder, name))
    page.browser.resize(1280, 860)


def check_loads_nothing(page, browser):
    """Of a page in a file; a served one asks for its moves."""
    page.expect("requests of the page", browser.run(
        "return performance.getEntriesByType('resource').map((entry) => entry.name)"), [])


def run(browser, program, pictures):
    page = Page(browser)
    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name)
        for name, text in (("lines.pgn", LINES), ("games.pgn", GAMES), ("filed.pgn", FILED),
                           ("scored.pgn", SCORED), ("mine.pgn", MINE), ("left.pgn", LEFT),
                           ("wide.pgn", MINE.replace("d6 3. d4", "d6 (2... Nc6 3. Bb5) 3. d4"))):
            with open(path(name), "w", encoding="utf-8") as file:
                file.write(text)
        make(program, "explore", path("lines.pgn"), "-o", path("lines.html"))
        make(program, "build", path("games.pgn"), "--stats", path("games.wld"), "--samples", "2")
        make(program, "explore", path("games.wld"), "-o", path("games.html"), "--title",
             "<script>alert(1)</script>")
        browser.resize(1280, 860)
        check_moves(page, path("lines.html"))
        check_reading(page, path("lines.html"))
        check_counts(page, path("games.html"))
        make(program, "explore", path("lines.pgn"), path("games.wld"), "-o", path("two.html"))
        check_two(page, path("two.html"))
        make(program, "explore", path("lines.pgn"), "--replies", path("games.wld"), "--color",
             "white", "-o", path("expected.html"))
        check_expected(page, path("expected.html"))
        with open(path("review.json"), "w", encoding="utf-8") as file:
            file.write(make(program, "review", path("left.pgn"), "--book", path("mine.pgn"),
                            "--color", "white", "--json"))
        for name in ("mine", "wide"):
            make(program, "explore", path(name + ".pgn"), "--review", path("review.json"), "-o",
                 path(name + ".html"))
        check_review(page, path("mine.html"), path("wide.html"))
        check_rules(page)
        check_loads_nothing(page, browser)
        serve_and_check(page, program, path("games.wld"), check_served)
        serve_and_check(page, program, path("games.wld"), check_served_start, "--start", "1. e4")
        make(program, "build", path("filed.pgn"), "--stats", path("filed.wld"))
        serve_and_check(page, program, path("filed.wld"), check_facets)
        make(program, "build", path("scored.pgn"), "--stats", path("scored.wld"))
        make(program, "import", path("scored.pgn"), "-o", path("scored.store"))
        make(program, "explore", path("scored.wld"), "--store", path("scored.store"), "-o",
             path("scored.html"))
        check_scores(page, "file://" + path("scored.html"))
        serve_and_check(page, program, path("scored.wld"), check_scores, "--store",
                        path("scored.store"))
        if os.path.exists(BIG_BOOK):
            make(program, "explore", BIG_BOOK, "-o", path("big.html"), "-q")
            check_big_book(page, path("big.html"))
            check_loads_nothing(page, browser)
            measure(page, path("big.html"))
            if pictures:
                picture(page, path("big.html"), "#e4,c5", "page.png", pictures, 1280, 860)
                picture(page, path("big.html"), "#e4,c5", "dark.png", pictures, 1280, 860, True)
                picture(page, path("big.html"), "#e4,c5", "phone.png", pictures, 360, 780)
        else:
            print("the large book is not here: not tried")
            page.expect("the large book is there",
                        os.environ.get("CAXTON_REQUIRE_DATA", "0") not in ("", "0"), False)
    page.faults += browser.complaints()
    return page.faults


def main():
    program = os.path.abspath(sys.argv[1])
    try:
        browser = Browser()
    except Missing as missing:
        print(f"skipped: {missing}")
        return 1 if os.environ.get("CAXTON_REQUIRE_TOOLS") else 77
    with browser:
        faults = run(browser, program, sys.argv[2] if len(sys.argv) > 2 else None)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
