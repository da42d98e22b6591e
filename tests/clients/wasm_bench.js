// The bench of caxton.wasm, run as the page of makebook explore runs the engine:
//
//     node tests/clients/wasm_bench.js CAXTON.WASM [DEPTH]
//
// Prints what `caxton bench` prints; the number of nodes must be the same.
"use strict";

const fs = require("fs"), path = require("path"), vm = require("vm");

const [file, depth] = process.argv.slice(2);
const script = path.join(__dirname, "../../book/makebook/explore/engine_worker.js");
globalThis.self = {};
vm.runInThisContext(fs.readFileSync(script, "utf8") + "\nself.runEngine = runEngine;", script);
self.runEngine({module: new WebAssembly.Module(fs.readFileSync(file)), hash: 16,
    bench: Number(depth || 12)}, (line) => console.log(line));
