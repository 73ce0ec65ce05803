import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./stack-files";
import { packedPackage } from "../support/packed-package";

/** Looks like Node 18, which has no node:sea. */
const OLD_NODE = `
Object.defineProperty(process.versions, "node", { value: "18.20.8" });
const Module = require("node:module");
const load = Module._load;
Module._load = function (name, ...others) {
  if (name === "node:sea") throw new Error("No such built-in module: node:sea");
  return load.call(this, name, ...others);
};`;

test("an old Node gets the version that is required, before anything is loaded", () => {
  const preload = join(temporaryFolder(), "old-node.cjs");
  writeFileSync(preload, OLD_NODE);
  const cli = join(packedPackage().modules, "cdktf-console/dist/cli.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-r", preload, cli, "plan"], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr:
      "\nError: Node.js is too old\n\nNode 20.18.1 or newer is required, but this is Node 18.20.8.\n",
  });
});
