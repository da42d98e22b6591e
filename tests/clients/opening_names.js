// Opening names on the page of makebook explore are found as chess/eco.c finds them: the cases of
// tests/data/opening_names.tsv, which unit_chess_eco has, too.
//
//     node tests/clients/opening_names.js MAKEBOOK
"use strict";

const {execFileSync} = require("child_process");
const fs = require("fs"), os = require("os"), path = require("path"), vm = require("vm");

const makebook = path.resolve(process.argv[2]), root = path.join(__dirname, "../..");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "names-"));
let page;
try {
    execFileSync(makebook, ["explore", "builtin", "-o", path.join(folder, "page.html"), "-q"]);
    page = fs.readFileSync(path.join(folder, "page.html"), "utf8");
} finally {
    fs.rmSync(folder, {recursive: true});
}
const part = (id) => page.match(new RegExp(`id="${id}">([^<]*)<`))[1];
const sources = ["graph.js", "search.js"].map((name) =>
    fs.readFileSync(path.join(root, "book/makebook/explore", name), "utf8").replace('"use strict";', ""));
const scope = vm.createContext({TextDecoder, bytes: new Uint8Array(Buffer.from(part("names"), "base64")),
    others: JSON.parse(part("other-names"))});
vm.runInContext(sources.join("\n") + "\nvar names = new Names(bytes, others);", scope);
const search = (text) => {
    scope.text = text;
    return vm.runInContext("searchNames(text, () => true)", scope);
};

let faults = 0, count = 0;
function expect(text, found, wanted)
{
    count++;
    if (found === wanted)
        return;
    faults++;
    console.log(`${text}: ${found} instead of ${wanted}`);
}

for (const line of fs.readFileSync(path.join(root, "tests/data/opening_names.tsv"), "utf8").split("\n")) {
    const [text, wanted] = line.split("\t");
    if (wanted !== undefined)
        expect(text, (search(text)[0] || {name: "-"}).name, wanted.replace("~", ""));
}
console.log(`${count} searches, ${faults} faults`);
process.exit(faults ? 1 : 0);
