import type { ObjectValue } from "../../../src/core/values";
import { ready } from "../support/consoles";
import { complete, Engine, provider, summaries } from "../support/engine";

/* A write whose record is not durable is not sent: a rollback could not undo it. */

const policy = (name: string, block: boolean) => ({ name, checks: { 599: block } });
const registry = (repository: string, cap: number) => ({
  registry: "r",
  repository,
  tag: "*",
  cap,
});
const account = (enabled: boolean) => ({
  kind: "cloud_account",
  body: { credentialId: "a", discoveryEnabled: enabled },
});

const CASES: readonly [string, ObjectValue, ObjectValue][] = [
  ...["exclusive", "prefix", "suffix"].map((ownership): [string, ObjectValue, ObjectValue] => [
    "cwp_compliance_policy_set",
    { ownership, policies: [policy("p", true)] },
    { ownership, policies: [policy("p", false)] },
  ]),
  ...["exclusive", "shared"].map((ownership): [string, ObjectValue, ObjectValue] => [
    "cwp_registry_scan",
    { ownership, specifications: [registry("a", 1)] },
    { ownership, specifications: [registry("a", 2)] },
  ]),
  ["cwp_object", account(true), account(false)],
  [
    "cwp_setting",
    { kind: "defender_settings", body: { listeningPort: 9998 } },
    { kind: "defender_settings", body: { listeningPort: 9999 } },
  ],
];

test.each(CASES)("%s %j writes nothing that cannot be recorded", async (type, config, changed) => {
  const { connection, console, writes } = await ready();
  await console.load({ policies: [] });
  const engine = new Engine(connection, type);
  /** Applies with a record on a full disk. */
  const unrecorded = async (wanted: ObjectValue | null) => {
    await engine.refresh();
    const { planned, diagnostics } = await engine.plan(wanted);
    expect(summaries(diagnostics)).toEqual([]);
    const before = writes().length;
    const reached = await provider.apply(type, {
      connection: { ...connection },
      signal: new AbortController().signal,
      prior: engine.state ?? null,
      planned,
      config: wanted && complete(engine.attributes, wanted),
      private: engine.stored?.private ?? {},
      checkpoint: () => Promise.resolve(),
      record: () => Promise.reject(new Error("no space is left")),
    });
    expect(JSON.stringify(reached.diagnostics)).toContain("no space is left");
    expect(writes()).toHaveLength(before);
  };
  await unrecorded(config);
  await engine.applied(config);
  await unrecorded(changed);
  await unrecorded(null);
});
