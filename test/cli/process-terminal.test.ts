import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { wasmTieringFlag } from "../../src/cli/terminal/wasm-tiering";

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

test.each(["SIGINT", "SIGTERM"] as const)(
  "a third %s ends a process that only works on the CPU",
  async (signal) => {
    const program = join(__dirname, "programs/busy.ts");
    const child = spawn(process.execPath, ["--import", "tsx", program]);
    const ended = once(child, "exit");
    const printed = async (line: string): Promise<void> => {
      const [chunk] = (await once(child.stdout, "data")) as [Buffer];
      expect(chunk.toString()).toBe(`${line}\n`);
    };
    try {
      await printed("ready");
      for (const reaction of ["stopping", "busy"]) {
        child.kill(signal);
        await printed(reaction);
      }
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
    } finally {
      child.kill("SIGKILL");
    }
  },
);
