"""Opens a page of makebook explore --engine in a headless Chromium, analyses and plays.

    python3 tests/clients/explore_engine.py MAKEBOOK CAXTON.WASM [SCREENSHOTS]

Prints the size of the page, how long the first analysis took and the speed of the engine there.
SCREENSHOTS: a folder for a picture. Exits 0 when all is well, 1 with a line for each fault, 77 when
there is no Chromium here."""

import os
import sys
import tempfile

from explore_page import Page, make
from webdriver import Browser, Missing

MATE_IN_TWO = "fen=6k1/5ppp/8/8/8/8/5PPP/3R2K1_w_-_-_0_30"
LINES = '[Event "x"]\n\n1. e4 {[%weight 1]} e5 {[%weight 1]} 2. Nf3 {[%weight 1]} *\n\n'
ENGINE = """return {
    scores: [...document.querySelectorAll(".engine-score")].map((score) => score.textContent),
    moves: [...document.querySelectorAll("#engine-lines li")].map(
        (item) => item.querySelector("a").textContent),
    arrows: document.querySelectorAll(".arrows.engine path").length,
    bar: document.getElementById("engine-bar").hidden,
    share: parseFloat(document.getElementById("engine-share").style.width),
    depth: (engine.lines[0] || {depth: 0}).depth, running: Boolean(engine.worker),
    state: document.getElementById("engine-state").textContent,
    button: document.getElementById("engine-run").textContent};"""


def choose(page, name, value):
    page.browser.run("""const list = document.getElementById(arguments[0]);
        list.value = arguments[1];
        list.dispatchEvent(new Event("change"))""", name, value)


def wait_for_depth(page, depth):
    # The page draws a moment after the lines have come.
    page.browser.wait(f"return engine.lines.length && engine.lines[0].depth >= {depth} && "
                      "document.querySelectorAll('#engine-lines li').length === "
                      "engine.lines.length", f"depth {depth}")
    return page.browser.run(ENGINE)


def check_analysis(page, path):
    page.open(path)
    page.expect("at rest", page.browser.run(ENGINE)["button"], "Start")
    page.browser.click("#engine-run")
    first_ms = page.browser.wait("return engine.lines.length && performance.now()", "a line")
    found = wait_for_depth(page, 4)
    page.expect("running", (found["button"], found["running"]), ("Stop", True))
    page.expect("lines and arrows", (len(found["moves"]), found["arrows"]), (2, 2))
    page.expect("the bar", found["bar"] is False and 30 < found["share"] < 80, True)
    # Another position, beyond the book, while it runs.
    page.search("1.e4 e5 2.Qh5 Ke7")
    mate = "return document.querySelector('.engine-score')?.textContent === '+#1'"
    page.browser.wait(mate, "a mate")
    found = page.browser.run(ENGINE)
    page.expect("the best move", found["moves"][0], "3.Qxe5#")
    page.browser.run("document.querySelector('#engine-lines a').click()")
    page.expect("a move of the line, played", page.line(), "1.e4 e5 2.Qh5 Ke7 3.Qxe5#")
    page.expect("mated", page.browser.run(ENGINE)["state"], "Checkmate.")
    page.browser.press("ArrowLeft", "e")
    found = page.browser.run(ENGINE)
    page.expect("stopped by a key", (found["running"], found["button"]), (False, "Start"))
    choose(page, "engine-depth", "4")
    choose(page, "engine-count", "3")
    page.open(path, "#" + MATE_IN_TWO)
    page.browser.press("e")
    found = wait_for_depth(page, 1)
    page.browser.wait(mate, "the mate")
    page.expect("the bar at a mate", page.browser.run(ENGINE)["share"], 100)
    page.browser.press("e")
    # Keys in a menu are the menu's.
    page.open(path)
    page.browser.run("document.getElementById('engine-count').focus()")
    page.browser.press("1", "Home")
    page.expect("keys in a menu", page.line(), "")
    # Nine queens and eight pawns.
    page.open(path, "#fen=k7/8/8/8/8/8/PPPPPPPP/QQ2K3_w_-_-_0_1")
    page.browser.press("e")
    page.browser.wait("return document.getElementById('engine-state').textContent.includes("
                      "'does not take')", "a refusal")
    return first_ms


def check_game(page, path):
    """The engine plays Black from the book, then by itself; the reader plays the first legal move."""
    page.open(path)
    choose(page, "engine-depth", "4")
    choose(page, "engine-plays", "black")
    page.search("1.e4")
    page.browser.wait("return line.moves.length === 2", "a move of the book")
    page.expect("the book's move", page.line(), "1.e4 e5")
    for plies in range(4, 22, 2):
        page.browser.run("playMove(shown.legal[0])")
        page.browser.wait(f"return line.moves.length === {plies} || !shown.legal.length",
                          "a move of the engine")
    page.expect("ten moves", page.browser.run(
        "return line.moves.length === 20 || !shown.legal.length"), True)
    page.browser.click("#engine-run")


def measure(page, path, first_ms):
    page.open(path, "#e4,e5,Nf3,Nc6")
    page.browser.press("e")
    wait_for_depth(page, 10)
    speed = page.browser.run("return engine.lines[0].speed")
    page.browser.press("e")
    print(f"{os.path.getsize(path) / 1e6:.2f} MB; first line {first_ms:.0f} ms after the page was "
          f"opened; {speed:,.0f} nodes/s")


def run(browser, program, module, pictures):
    page = Page(browser)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.html")
        lines = os.path.join(folder, "lines.pgn")
        with open(lines, "w", encoding="utf-8") as file:
            file.write(LINES)
        make(program, "explore", lines, "-o", path, "--engine", module)
        browser.resize(1280, 860)
        first_ms = check_analysis(page, path)
        check_game(page, path)
        measure(page, path, first_ms)
        for width in (360, 768):
            browser.resize(width, 780)
            page.expect(f"{width} px wide, the page", browser.run(
                "return document.documentElement.scrollWidth") <= width, True)
        if pictures:
            make(program, "explore", "builtin", "-o", path, "--engine", module, "-q")
            browser.resize(1280, 860)
            page.open(path, "#e4,c5")
            browser.press("e")
            wait_for_depth(page, 12)
            browser.screenshot(os.path.join(pictures, "engine.png"))
        page.expect("requests of the page", browser.run(
            "return performance.getEntriesByType('resource').map((entry) => entry.name)"
            ".filter((name) => !name.startsWith('blob:'))"), [])
        page.faults += browser.complaints()
    return page.faults


def main():
    program, module = map(os.path.abspath, sys.argv[1:3])
    try:
        browser = Browser()
    except Missing as missing:
        print(f"skipped: {missing}")
        return 77
    with browser:
        faults = run(browser, program, module, sys.argv[3] if len(sys.argv) > 3 else None)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
