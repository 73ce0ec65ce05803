// Loaded into a run: writes the bytes of heap in use after a collection, when it prints its result.
const { writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (chunk, ...rest) => {
  if (/No changes|Apply complete/.test(chunk)) {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(process.env.HEAP_FILE, String(heapUsed + external));
  }
  return write(chunk, ...rest);
};
