import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UNKNOWN, type ObjectValue } from "../../../../src/core/values";
import { ready } from "../../support/consoles";
import { Engine, summaries } from "../../support/engine";
import { temporaryFolder } from "../../../cli/stack-files";

const TYPE = "cwp_defender_artifact";

async function open(path = "artifact") {
  const simulated = await ready();
  const folder = temporaryFolder();
  const filename = join(folder, path);
  const config: ObjectValue = { kind: "linux_script", filename };
  const downloads = () =>
    simulated.console.requests.filter((request) => request.path.endsWith("defender.sh")).length;
  const read = () => readFileSync(filename, "utf8");
  const engine = new Engine(simulated.connection, TYPE);
  return { ...simulated, folder, filename, config, downloads, read, engine };
}

describe("drift", () => {
  test("writes a deleted file again", async () => {
    const { engine, config, filename, downloads, read } = await open();
    await engine.applied(config);
    const content = read();
    rmSync(filename);
    expect(await engine.refresh()).toEqual([]);
    expect(engine.stored).toBeUndefined();
    expect(downloads()).toBe(1);
    await engine.applied(config);
    expect(read()).toBe(content);
    expect(await engine.isConverged(config)).toBe(true);
  });

  test("shows the digest of a changed file, and writes it again", async () => {
    const { engine, config, filename, downloads, read } = await open();
    await engine.applied(config);
    const { state: written } = engine;
    const content = read();
    writeFileSync(filename, "theirs");
    expect(await engine.refresh()).toEqual([]);
    expect(engine.state).toMatchObject({ size: 6 });
    expect(engine.state?.sha256).not.toBe(written?.sha256);
    const plan = await engine.plan(config);
    expect(plan).toMatchObject({
      planned: { sha256: UNKNOWN, size: UNKNOWN },
      requiresReplace: [],
      diagnostics: [],
    });
    expect(downloads()).toBe(1);
    expect(await engine.applyPlan(config, plan)).toEqual([]);
    expect(read()).toBe(content);
    expect(engine.state).toEqual(written);
    expect(await engine.isConverged(config)).toBe(true);
  });

  test("ignores a file that was restored", async () => {
    const { engine, config, filename, read } = await open();
    await engine.applied(config);
    const content = read();
    writeFileSync(filename, "theirs");
    await engine.refresh();
    writeFileSync(filename, content);
    expect(await engine.isConverged(config)).toBe(true);
  });

  test("refuses to overwrite a file that changed after the plan", async () => {
    const { engine, config, filename, read } = await open();
    await engine.applied(config);
    const changed = { ...config, request_json: '{"consoleAddr":"other"}' };
    const plan = await engine.plan(changed);
    writeFileSync(filename, "theirs");
    expect(summaries(await engine.applyPlan(changed, plan))).toEqual([
      "File changed since it was planned",
    ]);
    expect(read()).toBe("theirs");
    // The next plan has seen it.
    await engine.applied(changed);
    expect(read()).toContain("'other'");
  });
});

describe("an existing file", () => {
  test("is kept if its content differs", async () => {
    const { engine, config, filename, read } = await open();
    writeFileSync(filename, "theirs");
    const [problem, ...others] = await engine.apply(config);
    expect(problem).toMatchObject({ summary: "File already exists", path: ["filename"] });
    expect(problem?.detail).toContain(filename);
    expect(others).toEqual([]);
    expect(read()).toBe("theirs");
    expect(engine.stored).toBeUndefined();
  });

  test("is adopted if its content is the same: a lost state converges", async () => {
    const { engine, config, connection } = await open();
    await engine.applied(config);
    const another = await new Engine(connection, TYPE).applied(config);
    expect(another.state).toEqual(engine.state);
  });

  test("is known after a kill during a create", async () => {
    const { connection, config, read } = await open();
    const points: Engine["stored"][] = [];
    const options = { onCheckpoint: (point: NonNullable<Engine["stored"]>) => points.push(point) };
    const engine = await new Engine(connection, TYPE, options).applied(config);
    expect(points).toEqual([engine.stored]);
    // Killed right after: state has the checkpoint only, the next request gives another file.
    const next = { ...config, request_json: '{"consoleAddr":"other"}' };
    const resumed = new Engine(connection, TYPE);
    resumed.stored = points[0];
    await resumed.applied(next);
    expect(read()).toContain("'other'");
  });

  test("is not written if the checkpoint cannot be stored", async () => {
    const { connection, config, filename, folder } = await open();
    const engine = new Engine(connection, TYPE, {
      onCheckpoint: () => {
        throw new Error("disk full");
      },
    });
    expect(summaries(await engine.apply(config))).toEqual(["Failed to save state"]);
    expect(existsSync(filename)).toBe(false);
    expect(existsSync(folder)).toBe(true);
  });
});

describe("a destroy", () => {
  test("deletes the file without a request", async () => {
    const { engine, config, filename, console } = await open();
    await engine.applied(config);
    const before = console.requests.length;
    expect(await engine.apply(null)).toEqual([]);
    expect(existsSync(filename)).toBe(false);
    expect(engine.stored).toBeUndefined();
    expect(console.requests).toHaveLength(before);
  });

  test("keeps a changed file, and warns in the plan", async () => {
    const { engine, config, filename, read } = await open();
    await engine.applied(config);
    writeFileSync(filename, "theirs");
    await engine.refresh();
    const plan = await engine.plan(null);
    expect(plan.diagnostics).toMatchObject([{ severity: "warning", summary: "File is kept" }]);
    expect(await engine.applyPlan(null, plan)).toMatchObject([{ severity: "warning" }]);
    expect(read()).toBe("theirs");
    expect(engine.stored).toBeUndefined();
  });

  test("keeps a file that changed after the plan", async () => {
    const { engine, config, filename, read } = await open();
    await engine.applied(config);
    const plan = await engine.plan(null);
    expect(plan.diagnostics).toEqual([]);
    writeFileSync(filename, "theirs");
    expect(summaries(await engine.applyPlan(null, plan))).toEqual(["File is kept"]);
    expect(read()).toBe("theirs");
  });

  test.each(["missing", "a folder"])("does nothing if the file is %s", async (what) => {
    const { engine, config, filename } = await open();
    await engine.applied(config);
    rmSync(filename);
    if (what === "a folder") mkdirSync(filename);
    const plan = await engine.plan(null);
    expect(await engine.applyPlan(null, plan)).toEqual([]);
    expect(engine.stored).toBeUndefined();
    expect(existsSync(filename)).toBe(what === "a folder");
  });
});

describe("a path that cannot be a file", () => {
  test("creates missing folders", async () => {
    const { engine, config, read } = await open("out/defenders/install.sh");
    await engine.applied(config);
    expect(read()).toContain("#!/bin/sh");
  });

  test.each<[string, (filename: string) => void, string]>([
    ["a folder", mkdirSync, "is a directory"],
    [
      "below a file",
      (name) => {
        writeFileSync(join(name, ".."), "");
      },
      "a part of the path is not a directory",
    ],
    [
      "in a circle of links",
      (name) => {
        symlinkSync(name, name);
      },
      "too many levels of symbolic links",
    ],
    [
      "no regular file",
      (name) => {
        symlinkSync("/dev/null", name);
      },
      "not a regular file",
    ],
  ])("reports %s at plan time", async (_, put, problem) => {
    const { engine, config, filename, folder, downloads } = await open("sub/artifact");
    if (problem !== "a part of the path is not a directory") mkdirSync(join(folder, "sub"));
    put(filename);
    const { diagnostics } = await engine.plan(config);
    expect(diagnostics).toMatchObject([{ severity: "error", path: ["filename"] }]);
    expect(diagnostics[0]?.detail).toBe(`${filename}: ${problem}.`);
    expect(downloads()).toBe(0);
  });

  test("reports a file that was replaced by a folder, and plans it again", async () => {
    const { engine, config, filename } = await open();
    await engine.applied(config);
    rmSync(filename);
    mkdirSync(filename);
    expect(summaries(await engine.apply(config))).toEqual(["File cannot be used"]);
    rmSync(filename, { recursive: true });
    await engine.applied(config);
    expect(await engine.isConverged(config)).toBe(true);
  });

  test("reports a name that is too long", async () => {
    const { engine, config } = await open("x".repeat(250));
    const [problem] = await engine.apply(config);
    expect(problem).toMatchObject({ summary: "File cannot be written" });
    expect(problem?.detail).toContain("file name too long");
  });
});
