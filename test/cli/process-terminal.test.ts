import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

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
