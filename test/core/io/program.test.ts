import { failureOfProgram, startProgram, type ProgramRun } from "../../../src/core/io/program";

const run = async (script: string, options: Partial<ProgramRun> = {}) => {
  const { end } = startProgram({
    program: "/bin/sh",
    args: ["-c", script],
    directory: "/",
    environment: process.env,
    ...options,
  });
  const ended = await end;
  return {
    how: failureOfProgram(ended),
    ...(ended.kind === "ended" && { printed: ended.printed }),
  };
};

test("keeps both outputs in order, and each on its own", async () => {
  const { how, printed } = await run("echo a; sleep 0.2; echo b >&2; sleep 0.2; echo c");
  expect(how).toBeUndefined();
  expect(printed?.all).toBe("a\nb\nc\n");
  expect([printed?.out, printed?.err]).toEqual(["a\nc\n", "b\n"]);
});

test("keeps everything that a program prints before it ends", async () => {
  const { printed } = await run("head -c 20000000 /dev/zero | tr '\\0' é");
  expect(Buffer.byteLength(printed?.out ?? "")).toBeGreaterThanOrEqual(20_000_000);
});

test.each([
  ["exit 3", "ended with exit code 3"],
  ["kill -9 $$", "was ended by SIGKILL"],
])("%s: describes the end", async (script, how) => {
  expect((await run(script)).how).toBe(how);
});

test.each<[string, Partial<ProgramRun>, string]>([
  ["a missing program", { program: "/missing" }, "no such file or directory"],
  ["a name without characters", { program: "" }, "cannot be empty"],
  ["a zero byte", { args: ["\0"] }, "null bytes"],
  ["too long arguments", { args: ["x".repeat(10_000_000)] }, "E2BIG"],
])("reports that a program with %s does not start", async (_, options, reason) => {
  expect((await run("", options)).how).toContain(`could not be started: `);
  expect((await run("", options)).how).toContain(reason);
});

test("ends a program that prints without end", async () => {
  const { how, printed } = await run("exec cat /dev/zero", { limitBytes: 1024 * 1024 });
  expect(how).toBe("was ended because it printed more than 1 MiB");
  expect(printed?.all.length).toBeLessThanOrEqual(1024 * 1024);
});

test("ends a program that takes too long, although it ignores SIGTERM", async () => {
  const { how } = await run("trap '' TERM; while :; do sleep 0.1; done", { limitMs: 100 });
  expect(how).toBe("was ended because it took more than 0.1 s");
});

test("passes on what it does not keep, without a bound", async () => {
  let length = 0;
  const { how, printed } = await run("head -c 3000000 /dev/zero", {
    limitBytes: 1000,
    out: (text) => {
      length += text.length;
    },
  });
  expect([how, length, printed?.all]).toEqual([undefined, 3_000_000, ""]);
});

test("drops what is too much of a program that must not be ended", async () => {
  const { how, printed } = await run("echo kept; sleep 0.2; head -c 3000000 /dev/zero", {
    limitBytes: 1000,
    excess: "drop",
  });
  expect([how, printed?.out]).toEqual([undefined, "kept\n"]);
});

test("does not wait for programs in the background, which keep the outputs open", async () => {
  const { how, printed } = await run("sleep 1000 & echo $!");
  expect(how).toBeUndefined();
  const background = Number(printed?.out);
  expect(process.kill(background, "SIGKILL")).toBe(true);
});

test("does not wait for a program in the background that prints without end", async () => {
  const { how, printed } = await run("while echo x; do sleep 0.1; done & echo $!");
  expect(how).toBeUndefined();
  expect(printed?.out).toContain("x\n");
});
