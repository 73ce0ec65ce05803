// node apply-diff.cjs FILE DIFF: makes the change of a diff without positions.
const { readFileSync, writeFileSync } = require("node:fs");

const [file, diff] = process.argv.slice(2);
const lines = readFileSync(diff, "utf8").trimEnd().split("\n");
const side = (sign) =>
  lines
    .filter((line) => line.startsWith(sign) || line.startsWith(" "))
    .map((line) => `${line.slice(1)}\n`)
    .join("");
const parts = readFileSync(file, "utf8").split(side("-"));
if (parts.length !== 2) throw new Error(`${file} has the lines ${parts.length - 1} times`);
writeFileSync(file, parts.join(side("+")));
