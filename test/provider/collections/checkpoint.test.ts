import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CollectionKind } from "../../../src/api/collections";
import { CheckpointFolder } from "../../../src/provider/console/checkpoint-folder";
import { readSnapshot } from "../../../src/provider/collections/snapshot";
import type { Environment } from "../../../src/core/environment";
import type { ObjectValue } from "../../../src/core/values";
import type { ConsoleOptions } from "../../../src/simulator";
import { ready } from "../support/consoles";
import { Engine, errorsOf, summaries } from "../support/engine";

const SET = "cwp_compliance_policy_set";
const NOT_USED = "Checkpoint is not used";
const UNKNOWN_BEFORE = "The compliance policies before the first apply are unknown";

const policy = (name: string, blocks = true) => ({ name, checks: { 41: blocks } });
const registry = (name: string) => ({ registry: name, repository: "*", tag: "" });
const setOf = (...names: string[]) => ({ policies: names.map((name) => policy(name)) });

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "checkpoints-"));
});
afterEach(() => {
  chmodSync(directory, 0o700);
  rmSync(directory, { recursive: true });
});

/** A console in a folder of Terraform's, whose runs end without a state. */
async function opened(type = SET, options: ConsoleOptions = {}) {
  const simulated = await ready(options);
  /** An engine of a new process. */
  const process = (environment: Environment = {}, folder = directory, hasNoJournal = true) => {
    const checkpoints = new CheckpointFolder(folder, environment);
    return new Engine({ ...simulated.connection, checkpoints }, type, { hasNoJournal });
  };
  /** Applies, but loses the state, as if Terraform was killed. */
  const killed = async (config: ObjectValue) => {
    await process().applied(config);
  };
  const names = () => simulated.console.policies().map(({ name }) => name);
  return { ...simulated, process, killed, names };
}

const path = () => join(directory, ".terraform", "cdktf-console.checkpoints");
const files = (folder = path()) => readdirSync(folder).sort();
const content = () => files().map((name) => readFileSync(join(path(), name), "utf8"));

/** Comparable documents: whoever restores a policy becomes its owner. */
const plain = (documents: readonly object[]) =>
  documents.map((one) => ({ ...one, owner: "", modified: "" }));

describe("the create after a kill", () => {
  const specs = ["one", "two"].map((name) => ({ name, credential_id: "c" }));
  const cases: readonly [string, CollectionKind, object[], ObjectValue][] = [
    [SET, "policies", [{ name: "x", owner: "system", notes: "n", big: 1.5 }], setOf("a", "b")],
    [SET, "policies", [], setOf("a")],
    [SET, "policies", [{ name: "x", owner: "system" }], setOf()],
    [
      "cwp_registry_scan",
      "registry",
      [{ ...registry("b"), cap: 3, more: [1] }],
      { specifications: [registry("a"), registry("b")] },
    ],
    [
      "cwp_serverless_auto_deploy",
      "serverlessAutoDeploy",
      [{ name: "two", credentialID: "c", more: 1 }],
      { specs },
    ],
    [
      "cwp_serverless_scan",
      "serverlessScan",
      [{ credentialID: "c", theirs: true }],
      { scopes: [{ credential_id: "c" }, { credential_id: "d" }] },
    ],
  ];
  test.each(cases)("takes what %s found first, %#", async (type, kind, found, config) => {
    const { console, process, killed } = await opened(type);
    await console.load({ [kind]: found });
    const before = plain(console.collection(kind));
    await killed(config);
    await killed(config);
    const engine = process();
    expect(await engine.apply(config)).toEqual([]);
    expect(await engine.isConverged(config)).toBe(true);
    await engine.applied(null);
    expect(plain(console.collection(kind))).toMatchObject(before);
    expect(console.collection(kind)).toHaveLength(before.length);
  });

  test("continues with other configurations", async () => {
    const { console, process, killed } = await opened();
    const before = plain(console.policies());
    await killed(setOf("a", "b"));
    await killed({ policies: [policy("b", false), policy("c")] });
    const engine = process();
    expect(await engine.apply({ policies: [policy("c", false)] })).toEqual([]);
    await engine.applied(null);
    expect(plain(console.policies())).toEqual(before);
    expect(files()).toHaveLength(1);
  });

  test("may be one of an engine with a journal, which needs no file itself", async () => {
    const { console, process, killed } = await opened();
    const before = plain(console.policies());
    await killed(setOf("a"));
    const engine = process({}, directory, false);
    expect(await engine.apply(setOf("a", "b"))).toEqual([]);
    await engine.applied(null);
    expect(plain(console.policies())).toEqual(before);

    rmSync(path(), { recursive: true });
    await process({}, directory, false).applied(setOf("a"));
    expect(() => files()).toThrow("ENOENT");
  });

  test("may be an import", async () => {
    const { console, process, killed } = await opened();
    const before = plain(console.policies());
    await killed(setOf("a"));
    const engine = process();
    expect(await engine.import("container")).toEqual([]);
    // Terraform reads what it has imported before it stores it.
    await engine.refresh();
    expect(files()).toHaveLength(1);
    const next = process();
    next.stored = engine.stored;
    await next.applied(null);
    expect(plain(console.policies())).toEqual(before);
    expect(files()).toEqual([]);
  });
});

describe("the file", () => {
  test("is there before the write, for its user only, and has no credential", async () => {
    const { console, connection } = await ready({ release: "20.04" });
    const found = { ...registry("r"), credential: { secret: { encrypted: "canary-found" } } };
    await console.load({ registry: [found] });
    const checkpoints = new CheckpointFolder(directory, {});
    const engine = new Engine({ ...connection, checkpoints }, "cwp_registry_scan", {
      hasNoJournal: true,
    });
    const credential = { type: "aws", account_id: "id", secret: "canary-sent" };
    await engine.applied({ specifications: [registry("r"), { ...registry("s"), credential }] });
    const [text = ""] = content();
    expect(text).not.toContain("canary");
    expect(JSON.parse(text)).toMatchObject({
      type: "cwp_registry_scan",
      console: connection.client.identity.name,
      workspace: "default",
      found: [registry("r")],
      writes: [[{ registry: "r" }, { registry: "s", credential: { secret: null } }]],
    });
    expect(statSync(path()).mode & 0o777).toBe(0o700);
    expect(statSync(join(path(), files()[0] ?? "")).mode & 0o777).toBe(0o600);
  });

  test("is removed at the first read of a state with the snapshot, and not before", async () => {
    const { process } = await opened();
    const engine = await process().applied(setOf("a"));
    await engine.refresh();
    expect(files()).toHaveLength(1);
    const other = process();
    other.stored = engine.stored && { ...engine.stored, private: { snapshot: "[]" } };
    await other.refresh();
    expect(files()).toHaveLength(1);
    const next = process();
    next.stored = engine.stored;
    await next.refresh();
    expect(files()).toEqual([]);
  });

  test("is removed if the console refuses the write", async () => {
    const { process, fault } = await opened();
    fault("putCompliancePolicies:status=400:1");
    expect(errorsOf(await process().apply(setOf("a")))).toHaveLength(1);
    expect(files()).toEqual([]);
    await process().applied(setOf("a"));
    fault("putCompliancePolicies:status=400:1");
    expect(errorsOf(await process().apply(setOf("a", "b")))).toHaveLength(1);
    expect(files()).toHaveLength(1);
  });

  test("is kept and named where the console has something else", async () => {
    const { console, process, killed, names } = await opened();
    await killed(setOf("a"));
    const [name = ""] = files();
    await console.load({ policies: [{ name: "x", owner: "system" }] });
    const found = await process().apply(setOf("a"));
    expect(summaries(found)).toEqual([NOT_USED, NOT_USED]);
    expect(found[0]?.detail).toContain(join(path(), name));
    expect(found[0]?.detail).toContain('"Default - ignore own components"');
    expect(files()).toHaveLength(2);
    expect(files()).toContain(name);

    const engine = process();
    await engine.applied(setOf("a"));
    await engine.applied(null);
    expect(names()).toEqual(["x"]);
  });

  test("is in the folder that CWP_CHECKPOINT_DIR names, for any number of stacks", async () => {
    const shared = join(directory, "shared", "checkpoints");
    const environment = { CWP_CHECKPOINT_DIR: shared };
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { console, process } = await opened();
        const folder = join(directory, `stack${index}`);
        mkdirSync(folder);
        const before = plain(console.policies());
        await process(environment, folder).applied(setOf("a"));
        const engine = await process(environment, folder).applied(setOf("a", `b${index}`));
        await engine.applied(null);
        expect(plain(console.policies())).toEqual(before);
      }),
    );
    expect(files(shared)).toHaveLength(20);
    expect(files(shared).every((name) => name.endsWith(".json"))).toBe(true);
  });

  test.each<[string, Environment, string]>([
    ["folder", {}, "elsewhere"],
    ["workspace", { TF_WORKSPACE: "other" }, ""],
  ])("is of no use in another %s", async (_, environment, below) => {
    const { process } = await opened();
    const at = { CWP_CHECKPOINT_DIR: path() };
    await process(at).applied(setOf("a"));
    const folder = join(directory, below);
    mkdirSync(folder, { recursive: true });
    const found = await process({ ...at, ...environment }, folder).apply(setOf("a"));
    expect(summaries(found)).toEqual([UNKNOWN_BEFORE, UNKNOWN_BEFORE]);
  });

  test.each<[string, (file: string) => void]>([
    [
      "damaged",
      (file) => {
        writeFileSync(file, readFileSync(file, "utf8").replace("alert", "x"));
      },
    ],
    [
      "torn",
      (file) => {
        writeFileSync(file, readFileSync(file, "utf8").slice(0, -40));
      },
    ],
    [
      "of another format",
      (file) => {
        writeFileSync(file, '{"format":2}');
      },
    ],
    [
      "a folder",
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ])("is named if it is %s", async (_, damage) => {
    const { process, killed } = await opened();
    await killed(setOf("a"));
    const file = join(path(), files()[0] ?? "");
    damage(file);
    const found = await process().apply(setOf("a"));
    expect(summaries(found.slice(0, 2))).toEqual([NOT_USED, UNKNOWN_BEFORE]);
    expect(found[0]?.detail).toContain(file);
  });

  test("stops the first write if it cannot be written", async () => {
    const { process, writes, names } = await opened();
    const before = names();
    writeFileSync(join(directory, "file"), "");
    const places = [join(directory, "file", "below"), join(directory, "open")];
    mkdirSync(join(directory, "open"));
    chmodSync(join(directory, "open"), 0o777);
    for (const place of places) {
      const engine = process({ CWP_CHECKPOINT_DIR: place });
      const [problem] = errorsOf(await engine.apply(setOf("a")));
      expect(problem?.summary).toBe("Failed to save state");
      expect(problem?.detail).toContain(`${place} cannot be written: `);
      expect(problem?.detail).toContain("set the environment variable CWP_CHECKPOINT_DIR");
      expect(engine.stored).toBeUndefined();
    }
    expect(writes()).toEqual([]);
    expect(names()).toEqual(before);
  });
});

describe("without a checkpoint", () => {
  const ways = [
    ["keep", ["a"]],
    ["clear", []],
  ] as const;
  test.each(ways)(
    "a restore of the result of a killed run is refused, until %s",
    async (way, left) => {
      const { process, killed, names } = await opened();
      await killed(setOf("a"));
      rmSync(path(), { recursive: true });
      const engine = process();
      const found = await engine.apply(setOf("a"));
      expect(found.map(({ severity, summary }) => [severity, summary])).toEqual([
        ["warning", UNKNOWN_BEFORE],
        ["warning", UNKNOWN_BEFORE],
      ]);
      expect(found[0]?.detail).toContain(path());
      expect(readSnapshot(engine.stored?.private ?? {})).toBeUndefined();
      expect(summaries(errorsOf((await engine.plan(null)).diagnostics))).toEqual([UNKNOWN_BEFORE]);
      expect(names()).toEqual(["a"]);
      await engine.applied({ ...setOf("a"), on_destroy: way });
      await engine.applied(null);
      expect(names()).toEqual(left);
    },
  );

  test("a replacement that would have to restore is refused", async () => {
    const { process, killed, writes } = await opened();
    await killed(setOf("a"));
    rmSync(path(), { recursive: true });
    const engine = await process().applied(setOf("a"));
    const count = writes().length;
    const found = await engine.apply({ ...setOf("a"), ownership: "prefix" });
    expect(summaries(errorsOf(found))).toEqual([UNKNOWN_BEFORE]);
    expect(writes()).toHaveLength(count);
  });
});
