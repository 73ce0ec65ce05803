import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Bench } from "../engine/bench";

/** An orphan is gone once the system has noticed. */
async function isGone(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      const status = await readFile(`/proc/${pid}/stat`, "utf8");
      if (status.includes(") Z ")) return true;
    } catch {
      return true;
    }
    await setTimeout(20);
  }
  return false;
}

describe("local-exec", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  const gate = (provisioner: object | readonly object[], more: object = {}) => ({
    resource: {
      null_resource: {
        gate: {
          ...more,
          provisioner: [provisioner].flat().map((one) => ({ "local-exec": one })),
        },
        behind: { depends_on: ["null_resource.gate"] },
      },
    },
  });
  const lines = () =>
    bench.events.flatMap((event) => (event.type === "provision_progress" ? [event.line] : []));
  const file = (name: string) => join(bench.outDir, name);

  test("runs at creation, and reports its output line by line", async () => {
    await bench.synth({
      main: gate(
        {
          command: 'echo "$GREETING ${self.triggers.who}"; printf "no line break" >&2; pwd',
          environment: { GREETING: "hello" },
        },
        { triggers: { who: "you" } },
      ),
    });
    expect((await bench.apply()).problems).toEqual([]);
    expect(lines()[0]).toMatch(/^Executing: \["\/bin\/sh" "-c" "echo /);
    expect(lines()).toEqual(
      expect.arrayContaining(["hello you", "no line break", join(bench.outDir, "stacks", "main")]),
    );
    expect(bench.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["provision_start", "provision_progress", "provision_complete"]),
    );
  });

  test("may name its own resource, which exists by then", async () => {
    const own = 'echo "${null_resource.gate.id} ${null_resource.gate.triggers.who}"';
    await bench.synth({ main: gate({ command: own }, { triggers: { who: "you" } }) });
    expect((await bench.apply()).problems).toEqual([]);
    expect(lines().at(-1)).toMatch(/^\d+ you$/);
  });

  test("waits for what decides whether it is quiet", async () => {
    const { resource } = gate({ command: "echo quiet", quiet: '${null_resource.slow.id != ""}' });
    const slow = { provisioner: [{ "local-exec": { command: "sleep 0.3" } }] };
    await bench.synth({
      main: { resource: { null_resource: { ...resource.null_resource, slow } } },
    });
    expect((await bench.apply()).problems).toEqual([]);
    expect(lines()).toContain("local-exec: Executing: Suppressed by quiet=true");
  });

  test("is refused before anything is made if it names the instances that it belongs to", async () => {
    const own = { command: "echo ${null_resource.gate[0].id}" };
    await bench.synth({ main: gate(own, { count: 2 }) });
    await expect(bench.apply()).rejects.toThrow("null_resource.gate: Unsupported reference");
    expect(bench.events).toEqual([]);
  });

  test("supports an interpreter and a working directory", async () => {
    await bench.synth({
      main: gate({
        command: "console.log(process.cwd())",
        interpreter: [process.execPath, "-e"],
        working_dir: "..",
      }),
    });
    await bench.apply();
    expect(lines().at(-1)).toBe(join(bench.outDir, "stacks"));
  });

  test("taints the object and skips its dependents if it fails", async () => {
    await bench.synth({ main: gate({ command: "echo reason; exit 3" }) });
    const { problems, stacks } = await bench.apply();
    expect(problems).toEqual(["null_resource.gate: local-exec provisioner error"]);
    expect(stacks[0]?.diagnostics[0]?.detail).toMatch(/exit status 3\. Output:\n\n {2}\| reason$/);
    const { resources } = await bench.state();
    expect(resources.map(({ name }) => name)).toEqual(["gate"]);
    expect(resources[0]?.instances).toMatchObject([{ status: "tainted" }]);
    expect((await bench.planOnly()).plan).toContain(
      "null_resource.gate delete-then-create replace_because_tainted",
    );
  });

  test("warns with on_failure = continue, and runs the next one", async () => {
    await bench.synth({
      main: gate([{ command: "exit 3", on_failure: "continue" }, { command: "echo next" }]),
    });
    const { problems, stacks } = await bench.apply();
    expect(problems).toEqual(["null_resource.gate: local-exec provisioner error"]);
    expect(stacks[0]?.diagnostics[0]?.severity).toBe("warning");
    expect(lines()).toContain("next");
    expect((await bench.planOnly()).plan).toEqual([]);
  });

  test("runs before an object is destroyed, and keeps the object if it fails", async () => {
    const destroy = (command: string) =>
      gate({ when: "destroy", command }, { triggers: { file: file("gone") } });
    await bench.synth({ main: destroy("exit 1") });
    await bench.apply();
    expect(lines()).toEqual([]);
    expect((await bench.apply({ mode: "destroy" })).problems).toEqual([
      "null_resource.gate: local-exec provisioner error",
    ]);
    expect((await bench.state()).resources).toHaveLength(1);
    await bench.synth({ main: destroy("echo ${self.triggers.file} > ${self.triggers.file}") });
    await bench.apply({ mode: "destroy" });
    expect((await readFile(file("gone"), "utf8")).trim()).toBe(file("gone"));
    expect((await bench.state()).resources).toEqual([]);
  });

  test("shows nothing of a command with a secret", async () => {
    bench.environment.TF_VAR_SECRET = "canary";
    await bench.synth({
      main: {
        variable: { SECRET: { type: "string", sensitive: true, ephemeral: true } },
        ...gate({ command: "echo ${var.SECRET}; exit 1" }),
      },
    });
    const { stacks } = await bench.apply();
    expect(lines()).toEqual(["(output suppressed due to sensitive value in config)"]);
    expect(JSON.stringify(stacks)).not.toContain("canary");
  });

  test("hides the command with quiet, but not its output", async () => {
    await bench.synth({ main: gate({ command: "echo shown", quiet: true }) });
    await bench.apply();
    expect(lines()).toEqual(["local-exec: Executing: Suppressed by quiet=true", "shown"]);
  });

  test("terminates the command and its child processes on abort", async () => {
    await bench.synth({ main: gate({ command: "sleep 60 & echo started $!; wait" }) });
    const abort = new AbortController();
    let background = 0;
    const { problems } = await bench.apply({
      abort: abort.signal,
      observe: (event) => {
        const started = event.type === "provision_progress" && /^started (\d+)/.exec(event.line);
        if (!started) return;
        background = Number(started[1]);
        abort.abort();
      },
    });
    expect(problems).toEqual(["null_resource.gate: local-exec provisioner error"]);
    expect(await isGone(background)).toBe(true);
  });

  test("does not wait for background processes", async () => {
    await bench.synth({ main: gate({ command: "sleep 30 & echo $!" }) });
    await bench.apply();
    const background = Number(lines().at(-1));
    process.kill(background);
    expect(await isGone(background)).toBe(true);
  });

  test("reports a program that does not exist", async () => {
    await bench.synth({ main: gate({ command: "x", interpreter: ["no-such-program"] }) });
    const { stacks } = await bench.apply();
    expect(stacks[0]?.diagnostics[0]?.detail).toContain("could not be started");
  });
});
