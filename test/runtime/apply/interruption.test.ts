import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Bench } from "../engine/bench";

describe("interruption", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  const CHAIN = {
    main: {
      resource: {
        memory_thing: {
          a: { name: "a" },
          b: { name: "b", depends_on: ["memory_thing.a"] },
          c: { name: "c", depends_on: ["memory_thing.b"] },
        },
      },
    },
  };

  test("stop finishes running operations, starts no new ones and keeps the results", async () => {
    await bench.synth(CHAIN);
    const stop = new AbortController();
    bench.world.fault = (operation, name) => {
      if (operation === "create" && name === "b") stop.abort();
      return undefined;
    };
    const { interrupted, problems } = await bench.apply({ stop: stop.signal });
    expect(interrupted).toBe(true);
    expect(problems).toEqual([]);
    expect((await bench.state()).resources.map(({ name }) => name)).toEqual(["a", "b"]);

    bench.world.fault = () => undefined;
    expect((await bench.apply()).plan).toEqual(["memory_thing.c create"]);
  });

  test("stop in the plan leaves nothing to apply", async () => {
    await bench.synth(CHAIN);
    await bench.apply();
    const stop = new AbortController();
    bench.world.fault = () => {
      stop.abort();
      return undefined;
    };
    const { session } = await bench.planOnly({ stop: stop.signal });
    expect(session.interrupted).toBe(true);
    expect(session.applicable).toBe(false);
  });

  test("abort reaches running calls", async () => {
    await bench.synth(CHAIN);
    const stop = new AbortController();
    const abort = new AbortController();
    bench.world.fault = async (operation, name) => {
      if (operation !== "create" || name !== "b") return undefined;
      stop.abort();
      const aborted = once(abort.signal, "abort");
      abort.abort();
      await aborted;
      throw new Error("given up");
    };
    const signals = { stop: stop.signal, abort: abort.signal };
    const { interrupted, problems } = await bench.apply(signals);
    expect(interrupted).toBe(true);
    expect(problems).toEqual(["memory_thing.b: Internal provider error"]);
    expect((await bench.state()).resources.map(({ name }) => name)).toEqual(["a"]);
  });

  test("a killed process leaves a journal, from which the next run continues", async () => {
    await bench.synth({
      main: {
        resource: {
          null_resource: {
            a: { triggers: { k: "v" } },
            b: {
              depends_on: ["null_resource.a"],
              provisioner: [{ "local-exec": { command: "echo under way; exec sleep 20" } }],
            },
            c: { depends_on: ["null_resource.b"] },
          },
        },
      },
    });
    const program = join(__dirname, "..", "engine", "programs", "apply.ts");
    const child = spawn(process.execPath, ["--import", "tsx", program, bench.outDir]);
    let output = "";
    child.stderr.pipe(process.stderr);
    while (!output.includes("\nunder way\n")) {
      const [chunk] = (await once(child.stdout, "data")) as [Buffer];
      output += chunk.toString();
    }
    child.kill("SIGKILL");
    await once(child, "close");
    expect(await readdir(bench.outDir)).toContain("terraform.main.tfstate.journal");

    // The action may have happened: the object exists, but is tainted.
    await bench.synth({
      main: {
        resource: {
          null_resource: {
            a: { triggers: { k: "v" } },
            b: {
              depends_on: ["null_resource.a"],
              provisioner: [{ "local-exec": { command: "exit 0" } }],
            },
            c: { depends_on: ["null_resource.b"] },
          },
        },
      },
    });
    const { session, plan } = await bench.planOnly();
    const reported = session.diagnostics.find((one) => one.summary === "A run has not finished");
    expect(reported?.detail).toContain("null_resource.b (create)");
    expect(reported?.detail).not.toContain("null_resource.a (");
    expect(plan).toEqual([
      "null_resource.b delete-then-create replace_because_tainted",
      "null_resource.c create",
    ]);
    await bench.apply();
    expect(await bench.planOnly()).toMatchObject({ plan: [], problems: [] });
    expect(await readdir(bench.outDir)).not.toContain("terraform.main.tfstate.journal");
  });
});
