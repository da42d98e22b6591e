// The engine of makebook explore --engine: analyses the position on the board, or plays one side.
"use strict";

const ENGINE_HASH_MB = 16, ENGINE_MOVE_MS = 1000, LINES_PAUSE_MS = 200;
const ENGINE_DEPTHS = [4, 8, 12, 16, 20, 24, 30];

const engine = {
    module: null,  // a promise of the compiled code
    worker: null,  // while it searches
    wanted: false, // the reader has asked for analysis
    plays: null,   // the side that the engine plays, or null
    lines: [],     // what it says of the position: by rank {depth, text, share, moves}
    board: "",     // the position that these are about
    timer: 0,      // when they are shown again
    arrows: null,  // where they are drawn
};

// Text of the engine -------------------------------------------------------------------------------

// {rank, depth, score, share, nodes, speed, moves} of an `info` line, or null. share: what White is
// expected to score, 0..1.
function readInfo(text, turn)
{
    const words = text.split(" ");
    const after = (name) => words.includes(name) ? words[words.indexOf(name) + 1] : undefined;
    if (words[0] !== "info" || !words.includes("pv") || words.includes("lowerbound") ||
        words.includes("upperbound"))
        return null;
    const own = Number(after("cp") ?? after("mate")), wdl = words.indexOf("wdl");
    const score = turn === WHITE ? own : -own;
    const sign = score < 0 || Object.is(score, -0) ? "−" : "+";
    const share = (Number(words[wdl + 1]) + Number(words[wdl + 2]) / 2) / 1000;
    return {
        rank: Number(after("multipv")) || 1,
        depth: Number(after("depth")),
        score: words.includes("mate") ? `${sign}#${Math.abs(score)}` :
            sign + (Math.abs(score) / 100).toFixed(2),
        share: turn === WHITE ? share : 1 - share,
        speed: Number(after("nps")),
        words: words.slice(words.indexOf("pv") + 1),
    };
}

// The legal moves that UCI words name; a word that names none ends them.
function movesOf(pos, words)
{
    const moves = [];
    for (const word of words) {
        const found = findMoves(pos, word);
        if (!found || found.length !== 1)
            break;
        moves.push(found[0]);
        pos = pos.play(found[0]);
    }
    return moves;
}

// Running --------------------------------------------------------------------------------------------

function stopEngine()
{
    if (engine.worker)
        engine.worker.terminate();
    engine.worker = null;
}

// Searches the position on the board; told(line) hears what the engine says of it.
async function runEngine(settings, told)
{
    stopEngine();
    const started = engine.board;
    if (!engine.module)
        engine.module = WebAssembly.compile(readBytes("engine-code"));
    const module = await engine.module.catch((error) => {
        showEngineState(`This browser cannot run the engine: ${error.message}`);
        return null;
    });
    if (!module || engine.worker || engine.board !== started || !engine.wanted)
        return;
    const code = new Blob([byId("engine-worker").textContent], {type: "text/javascript"});
    const address = URL.createObjectURL(code);
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    engine.worker = worker;
    worker.onmessage = (event) => {
        if (engine.worker !== worker)
            return;
        if (event.data.line)
            told(event.data.line);
        else
            stopEngine();
        if (event.data.understood === false)
            showEngineState("The engine does not take this position.");
        showEngineControls();
    };
    worker.onerror = (event) => {
        stopEngine();
        showEngineState(`The engine failed: ${event.message}`);
        showEngineControls();
    };
    const moves = line.moves.slice(0, line.at).map(formatUci).join(" ");
    worker.postMessage({module, hash: ENGINE_HASH_MB, lines: 1, movetime: 0, ...settings,
        depth: Number(byId("engine-depth").value),
        text: formatFen(line.root.pos) + (moves && " moves " + moves)});
    showEngineControls();
}

function analyse()
{
    const pos = line.positions[line.at];
    runEngine({lines: Number(byId("engine-count").value)}, (text) => {
        const info = readInfo(text, pos.turn);
        if (!info)
            return;
        info.moves = movesOf(pos, info.words);
        engine.lines[info.rank - 1] = info;
        // Not at once each time: nobody could click on a line.
        engine.timer = engine.timer || setTimeout(() => showEngineLines(pos), LINES_PAUSE_MS);
    });
}

// A move of the book by its weight, else one of the engine.
function playEngineMove()
{
    const pos = line.positions[line.at];
    let left = Math.random();
    for (const entry of shown.entries) {
        left -= entry.share;
        if (entry.share > 0 && left < 0) {
            showEngineState("from the book");
            playMove(entry.move);
            return;
        }
    }
    runEngine({movetime: ENGINE_MOVE_MS}, (text) => {
        const info = readInfo(text, pos.turn), words = text.split(" ");
        if (info) {
            info.moves = movesOf(pos, info.words);
            engine.lines = [info];
            showEngineLines(pos);
        } else if (words[0] === "bestmove") {
            const [move] = movesOf(pos, [words[1]]);
            stopEngine();
            if (move !== undefined)
                playMove(move);
        }
    });
}

// After each change of the position or of the settings.
function followBoard()
{
    const pos = line.positions[line.at];
    stopEngine();
    clearTimeout(engine.timer);
    engine.board = currentLink();
    engine.lines = [];
    showEngineLines(pos);
    if (engine.wanted && !shown.legal.length) {
        showEngineState(pos.inCheck() ? "Checkmate." : "Stalemate.");
    } else if (engine.wanted && engine.plays === null) {
        analyse();
    } else if (engine.wanted && engine.plays === pos.turn) {
        if (line.at === line.moves.length) // who goes back looks at the game
            playEngineMove();
    }
    showEngineControls();
}

// Showing --------------------------------------------------------------------------------------------

function showEngineState(text)
{
    byId("engine-state").textContent = text;
}

function showEngineControls()
{
    const button = byId("engine-run");
    button.textContent = engine.wanted ? "Stop" : "Start";
    button.setAttribute("aria-pressed", String(engine.wanted));
    byId("engine").dataset.running = String(Boolean(engine.worker));
}

// The moves of a line as links that play them.
function lineItem(pos, info)
{
    const parts = [element("span", {class: "engine-score"}, info.score)];
    let at = pos;
    info.moves.forEach((m, ply) => {
        const link = element("a", {href: "#", class: "ply"},
            moveNumber(at, ply === 0) + formatSan(at, m));
        link.addEventListener("click", (event) => {
            event.preventDefault();
            // Not one by one: what a server says of a position comes later.
            setLine(line.root, line.moves.slice(0, line.at).concat(info.moves.slice(0, ply + 1)));
            render();
        });
        parts.push(" ", link);
        at = at.play(m);
    });
    return element("li", {}, ...parts);
}

function showEngineLines(pos)
{
    engine.timer = 0;
    const [best] = engine.lines;
    const lines = engine.lines.filter((info) => info && info.moves.length);
    byId("engine-lines").replaceChildren(...lines.map((info) => lineItem(pos, info)));
    byId("engine-bar").hidden = !best;
    if (best) {
        byId("engine-share").style.width = formatPercent(best.share);
        byId("engine-bar").setAttribute("aria-label", `White ${formatPercent(best.share)}`);
        showEngineState(`depth ${best.depth} · ${formatNumber(best.speed)} nodes/s`);
    } else {
        showEngineState("");
    }
    drawEngineArrows();
}

function drawEngineArrows()
{
    const arrows = engine.lines.filter((info) => info && info.moves.length)
        .map((info, at) => board.arrow({move: info.moves[0], share: at ? 0.15 : 0.5},
            "arrow engine"));
    engine.arrows.replaceChildren(...arrows.reverse());
}

// The start ------------------------------------------------------------------------------------------

function select(id, label, options, chosen)
{
    const list = element("select", {id}, ...options.map(([value, text]) =>
        element("option", {value, selected: value === chosen ? "" : null}, text)));
    list.addEventListener("change", () => {
        const sides = {white: WHITE, black: BLACK};
        engine.plays = byId("engine-plays").value in sides ? sides[byId("engine-plays").value] : null;
        if (id === "engine-plays")
            engine.wanted = engine.plays !== null;
        followBoard();
    });
    return element("label", {}, label, " ", list);
}

function toggleEngine()
{
    engine.wanted = !engine.wanted;
    if (!engine.wanted) {
        stopEngine();
        showEngineControls();
    } else {
        followBoard();
    }
}

function beginEngine()
{
    const run = element("button", {type: "button", id: "engine-run", class: "text",
        "aria-keyshortcuts": "e", title: "Start and stop the engine (e)"}, "Start");
    run.addEventListener("click", toggleEngine);
    const depths = ENGINE_DEPTHS.map((depth) => [String(depth), String(depth)]);
    const panel = element("section", {id: "engine", "aria-label": "Engine"},
        element("p", {class: "engine-controls"}, element("span", {}, "Engine"), run,
            select("engine-count", "lines", [["1", "1"], ["2", "2"], ["3", "3"]], "2"),
            select("engine-depth", "depth", [...depths, ["0", "no limit"]], "0"),
            select("engine-plays", "plays", [["", "neither side"], ["white", "White"],
                ["black", "Black"]], "")),
        element("div", {id: "engine-bar", role: "img", hidden: ""},
            element("i", {id: "engine-share"})),
        element("ol", {id: "engine-lines", "aria-label": "Lines of the engine"}),
        element("p", {id: "engine-state", role: "status"}));
    document.querySelector(".controls").after(panel);
    engine.arrows = svgElement("svg", {class: "arrows engine", viewBox: "0 0 800 800"});
    board.host.append(engine.arrows);
    KEYS.e = toggleEngine;
    // Each position writes its FEN on the page.
    new MutationObserver(followBoard).observe(byId("fen"), {childList: true});
    new MutationObserver(drawEngineArrows).observe(board.host, {attributeFilter: ["class"]});
    showEngineControls();
}

beginEngine();
