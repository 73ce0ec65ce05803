import { spawnSync } from "node:child_process";
import { wasmTieringFlag } from "../../src/cli/terminal/process-terminal";

test("this version of Node accepts the flag silently", () => {
  const flag = wasmTieringFlag(process.versions.node);
  expect(flag).toBeDefined();
  const program = `require("node:v8").setFlagsFromString("${flag}")`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("unknown versions of Node get no flag", () => {
  expect(wasmTieringFlag("26.0.0")).toBeUndefined();
});
