// One analysis by the engine (engine/wasm/analysis.c), on a thread of its own. It cannot hear
// anything while it searches: to stop it the page ends it.
"use strict";

const TEXT_MAX = 16384; // of analysis.c
const NO_SUCH_CALL = 52; // what WASI answers for a call that it does not have

function makeSystem(print)
{
    const decoder = new TextDecoder();
    let memory, waiting = "";
    const view = () => new DataView(memory.buffer);
    const calls = {
        // Where the bytes are: `count` pairs of address and size.
        fd_write(file, pairs, count, written)
        {
            let sum = 0;
            for (let i = 0; i < count; i++) {
                const start = view().getUint32(pairs + 8 * i, true);
                const size = view().getUint32(pairs + 8 * i + 4, true);
                waiting += decoder.decode(new Uint8Array(memory.buffer, start, size));
                sum += size;
            }
            const lines = waiting.split("\n");
            waiting = lines.pop();
            lines.forEach(print);
            view().setUint32(written, sum, true);
            return 0;
        },
        clock_time_get(clock, precision, time)
        {
            view().setBigUint64(time, BigInt(Math.round(performance.now() * 1e6)), true);
            return 0;
        },
        proc_exit(status)
        {
            throw new Error(`the engine has ended (${status})`);
        },
    };
    return {
        imports: (module) => {
            const all = {};
            for (const {module: from, name} of WebAssembly.Module.imports(module)) {
                all[from] = all[from] || {};
                all[from][name] = calls[name] || (() => NO_SUCH_CALL);
            }
            return all;
        },
        attach(instance)
        {
            memory = instance.exports.memory;
        },
    };
}

// job: {module, hash, text, depth, lines, movetime}, or {module, hash, bench: depth}. print(line) is
// given what the engine says. False: the text names no position, or is too long.
function runEngine(job, print)
{
    const system = makeSystem(print), instance = new WebAssembly.Instance(job.module,
        system.imports(job.module));
    const engine = instance.exports;
    system.attach(instance);
    engine._initialize();
    const analysis = engine.analysis_create(job.hash);
    if (!analysis)
        throw new Error("no memory for the engine");
    if (job.bench) {
        engine.analysis_bench(analysis, job.bench);
        return true;
    }
    const text = new TextEncoder().encode(job.text + "\0");
    if (text.length > TEXT_MAX)
        return false;
    new Uint8Array(engine.memory.buffer).set(text, engine.analysis_text(analysis));
    return Boolean(engine.analysis_run(analysis, job.depth, job.lines, job.movetime));
}

self.onmessage = (event) => {
    const understood = runEngine(event.data, (line) => self.postMessage({line}));
    self.postMessage({done: true, understood});
};
