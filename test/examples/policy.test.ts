import { readFileSync } from "node:fs";
import { join } from "node:path";
import { resources } from "../../src/provider/resources";
import { nestedAttributes } from "../../src/provider/schema/terraform";
import type { ObjectValue, Value } from "../../src/provider/values";
import { policy, resourceChange } from "../review/entries/changes";
import { evaluateSet } from "./rego";
import type { Json } from "./rego-parser";

const FOLDER = join(__dirname, "../../examples/workflows/policy");
const REGO = ["weakening.rego", "lists.rego"].map((file) =>
  readFileSync(join(FOLDER, file), "utf8"),
);

interface Case {
  readonly type: string;
  /** The list before and after; undefined for an object that is not there. */
  readonly before: readonly ObjectValue[] | undefined;
  readonly after: readonly ObjectValue[] | undefined;
  readonly onDestroy?: string;
}

function listOf(type: string) {
  const { attributes = {} } = resources.find((resource) => resource.type === type) ?? {};
  const found = Object.entries(attributes).find(([, { review }]) => review?.kind === "entries");
  if (!found) throw new Error(`${type} has no entries`);
  return { attributes, list: found[0], entry: nestedAttributes(found[1].type) ?? {} };
}

/** Returns an object as in a plan's JSON: attributes that are not set are null. */
function objectOf({ type, onDestroy = "restore" }: Case, entries: Case["before"]) {
  const { list, entry } = listOf(type);
  const unset = Object.fromEntries(Object.keys(entry).map((name) => [name, null]));
  const all = entries?.map((one) => ({ ...unset, ...one }));
  return all ? { on_destroy: onDestroy, ownership: "exclusive", [list]: all } : null;
}

/** Returns the messages of the policy. */
function judge(given: Case) {
  const [before, after] = [objectOf(given, given.before), objectOf(given, given.after)];
  const change = resourceChange(listOf(given.type).attributes, before, after);
  const actions = [change.action];
  const denied = evaluateSet(REGO, "deny", {
    resource_changes: [
      {
        address: "x.y",
        mode: "managed",
        type: given.type,
        change: { actions, before, after } as Json,
      },
    ],
  });
  return denied;
}

const set = (
  before: readonly ObjectValue[] | undefined,
  after: readonly ObjectValue[] | undefined,
  onDestroy?: string,
): Case => ({
  type: "cwp_compliance_policy_set",
  before,
  after,
  ...(onDestroy && { onDestroy }),
});
const registry = (cap: Value): ObjectValue => ({ registry: "r", repository: "*", tag: "*", cap });
const scope = (region: string, enabled: Value = true): ObjectValue => ({
  credential_ids: ["a", "b"],
  provider: "aws",
  region,
  enabled,
});
const spec = (runtimes: Value): ObjectValue => ({ name: "orders", credential_id: "aws", runtimes });
const registries = (before: Value, after: Value): Case => ({
  type: "cwp_registry_scan",
  before: [registry(before)],
  after: [registry(after)],
});
const scopes = (before: readonly ObjectValue[], after: readonly ObjectValue[]): Case => ({
  type: "cwp_serverless_scan",
  before,
  after,
});
const specs = (before: Value, after: Value): Case => ({
  type: "cwp_serverless_auto_deploy",
  before: [spec(before)],
  after: [spec(after)],
});
const hosts = (...all: string[]) => policy("p", { resources: { hosts: all } });

test.each<[string, Case, string[]]>([
  ["destroyed", set([policy("p")], undefined), ["x.y is destroyed"]],
  ["a removed policy", set([policy("p"), policy("q")], [policy("q")]), ['x.y: ["p"] is removed']],
  ["disabled", set([policy("p")], [policy("p", { disabled: true })]), ['x.y: ["p"] is disabled']],
  [
    "a removed check",
    set([policy("p")], [policy("p", { checks: {} })]),
    ['x.y: ["p"] no longer has check 41'],
  ],
  [
    "a check that alerts",
    set([policy("p")], [policy("p", { checks: { "41": false } })]),
    ['x.y: ["p"] no longer blocks on check 41'],
  ],
  ["narrowed", set([hosts("*")], [hosts("a")]), ['x.y: ["p"] is no longer for hosts "*"']],
  [
    "narrowed to a longer prefix",
    set([hosts("a*")], [hosts("ab*")]),
    ['x.y: ["p"] is no longer for hosts "a*"'],
  ],
  [
    "emptied",
    set([hosts("a", "b")], [hosts()]),
    ['x.y: ["p"] is no longer for hosts "a"', 'x.y: ["p"] is no longer for hosts "b"'],
  ],
  ["fewer images", registries(50, 5), ['x.y: ["r","*","*"] has cap 5 only']],
  ["a limit", registries(0, 5), ['x.y: ["r","*","*"] has cap 5 only']],
  [
    "a removed scope",
    scopes([scope("eu"), scope("us")], [scope("eu")]),
    ['x.y: [null,["a","b"],"aws","us",null] is removed'],
  ],
  [
    "a scope that is disabled",
    scopes([scope("eu")], [scope("eu", false)]),
    ['x.y: [null,["a","b"],"aws","eu",null] is disabled'],
  ],
  [
    "fewer runtimes",
    specs(["go", "python"], ["go"]),
    ['x.y: ["orders"] is no longer for runtimes "python"'],
  ],
])("refuses: %s", (_, given, messages) => {
  expect(judge(given)).toEqual(messages);
});

test.each<[string, Case]>([
  ["created", set(undefined, [policy("p")])],
  ["destroyed, but kept", set([policy("p")], undefined, "keep")],
  ["a policy more", set([policy("p")], [policy("p"), policy("q")])],
  ["another order", set([policy("p"), policy("q")], [policy("q"), policy("p")])],
  ["enabled", set([policy("p", { disabled: true })], [policy("p")])],
  ["a removed policy that was disabled", set([policy("p", { disabled: true })], [])],
  [
    "a disabled policy that is for less",
    set([policy("p", { disabled: true })], [policy("p", { disabled: true, checks: {} })]),
  ],
  ["a check that blocks", set([policy("p", { checks: { "41": false } })], [policy("p")])],
  ["widened to a shorter prefix", set([hosts("ab*", "c")], [hosts("a*", "c")])],
  ["more images", registries(5, 50)],
  ["no limit", registries(5, 0)],
  ["a limit that is the console's own", registries(5, null)],
  ["runtimes that are the console's own", specs(["go"], null)],
  ["a removed scope that was disabled", scopes([scope("eu", false)], [])],
])("does not refuse: %s", (_, given) => {
  expect(judge(given)).toEqual([]);
});
