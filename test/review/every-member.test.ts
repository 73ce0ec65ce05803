import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportPlanned } from "../../src/cli/stacks/report-plans";
import { ProtectionGate } from "../../src/cli/stacks/protection-gate";
import { openScreen } from "../../src/cli/terminal/screen";
import { error, warning, type Diagnostic } from "../../src/core/diagnostics";
import { withNote } from "../../src/core/notes";
import { UNKNOWN } from "../../src/core/values";
import type { ResourceChange } from "../../src/core/documents/stack-plan";
import type { StackLabels } from "../../src/fleet/selection/labels";
import { LiveTally } from "../../src/protection/live";
import { registryScanAttributes } from "../../src/provider/resources/registry-scan";
import { renderJunit } from "../../src/review/findings/render-junit";
import { renderSarif } from "../../src/review/findings/render-sarif";
import type { Reviewed } from "../../src/review/groups/review";
import { renderFailureHtml, renderHtml } from "../../src/review/html/render-html";
import { failureDocument, reviewDocument } from "../../src/review/json/review-json";
import { renderFailureMarkdown, renderMarkdown } from "../../src/review/markdown/render-markdown";
import { LIVE } from "../../src/review/protection/live-reading";
import { plannedPolicies, reviewProtection } from "../../src/review/protection/review-protection";
import { TestTerminal } from "../cli/test-terminal";
import { policy, policyChange, resourceChange } from "./entries/changes";
import { FORMS, ROWS, type Form, type Members, type Scalar } from "./member-rows";
import { stackPlan } from "./plans";
import { protecting } from "./protection/sets";

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
const SCHEMA = JSON.parse(
  readFileSync(join(__dirname, "../../docs/review.schema.json"), "utf8"),
) as Schema & { readonly $defs: Readonly<Record<string, Schema>> };

interface Leaf {
  readonly path: string;
  readonly value: Scalar;
  readonly object: Members;
}

/** The schema behind references, with the name that it has there. */
function resolved(schema: Schema, path: string): readonly [Schema, string] {
  const some = schema.anyOf?.find((one) => one.$ref ?? one.properties ?? one.items) ?? schema;
  const name = some.$ref?.replace("#/$defs/", "");
  const isScalar = name === "effect";
  return name === undefined ? [some, path] : [SCHEMA.$defs[name]!, isScalar ? path : name];
}

function membersOf(given: Schema, place: string, seen = new Set<string>()): readonly string[] {
  const [schema, path] = resolved(given, place);
  if (schema.items) return membersOf(schema.items, path, seen);
  if (!schema.properties) return [path];
  if (seen.has(path)) return [];
  seen.add(path);
  return Object.entries(schema.properties).flatMap(([name, one]) =>
    membersOf(one, `${path}.${name}`, seen),
  );
}

function leavesOf(given: Schema, place: string, value: unknown, object: Members): readonly Leaf[] {
  const [schema, path] = resolved(given, place);
  if (schema.items) {
    const { items } = schema;
    return (value as unknown[]).flatMap((one) => leavesOf(items, path, one, object));
  }
  if (!schema.properties) return [{ path, value: value as Scalar, object }];
  if (value === null) return [];
  const own = value as Members;
  return Object.entries(own).flatMap(([name, one]) =>
    leavesOf(schema.properties![name]!, `${path}.${name}`, one, own),
  );
}

/** The text of a form in one line, without markup and the marks of comments. */
const words = (text: string) =>
  text
    .replace(/<(?!test)[^>]*>/g, "")
    .replace(/^ *# +/gm, " ")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&gt;", ">")
    .replaceAll('\\"', '"')
    .replace(/\s+/g, " ");

const locate = () => ({ file: "main.ts", line: 1 });

const CONTRACT = `version: 1
require:
  - { name: kept everywhere, where: { namespaces: ["dev-*"] }, checks: { 701: block } }
  - { name: broken in production, where: { namespaces: ["prod-*"] }, checks: { 702: block } }
baseline:
  - policies: [{ name: base, checks: { "706": true } }]
waivers:
  - &w
    where: { namespaces: ["dev-*"] }
    checks: { 703: { from: block, to: none } }
    owner: used@example.com
    reason: until the move
    expires: 2999-01-01
  - { <<: *w, checks: { 9: { from: block, to: none } }, owner: unused@example.com }
  - { <<: *w, owner: expired@example.com, expires: 2001-01-01 }
check_titles: { 703: runs as root }
`;

const address = (name: string) => ({ address: `cwp_compliance_policy_set.${name}`, name });

/** A change with a console on which two containers run. */
function withLive(change: ResourceChange): ResourceChange {
  const { before = [], after = [] } = plannedPolicies({ changes: [change] })[0] ?? {};
  const [review] = reviewProtection({ changes: [change] }).values();
  const tally = new LiveTally(before, after, review?.regions ?? []);
  const failing = new Map([["703", "runs as root"]]);
  const workload = { namespace: "dev-one", container: "api", image: null, host: null, labels: [] };
  tally.add({ workload: { ...workload, account_id: null }, failing });
  tally.add({ workload: { container: "other", image: null }, failing: new Map() });
  return withNote(change, LIVE, {
    read: [{ console: "https://live.example", at: new Date("2026-11-25T10:00:00Z") }],
    unread: [{ console: "https://dark.example", reason: "it is off." }],
    counts: tally.counts(),
  });
}

const FULL = {
  images: ["i*"],
  containers: ["c*"],
  namespaces: ["n*"],
  hosts: ["h*"],
  labels: ["l*"],
  account_ids: ["a*"],
};

function plans() {
  const dev = (...checks: readonly string[]) =>
    protecting("dev", { namespaces: ["dev-*"] }, "701", ...checks);
  const base = protecting("base", {}, "706");
  const endpoint = "https://console.example";
  const changed = policyChange([dev("703"), base], [dev(), base], { endpoint, ...address("dev") });
  const drifted = policyChange([protecting("drifted", { hosts: ["h-*"] }, "704")], [], {
    address: "cwp_drifted.one",
  });
  const partial = policyChange([protecting("full", FULL, "705")], [], {
    object: { ownership: "prefix" },
    ...address("partial"),
  });
  const later = policyChange(
    [policy("later", { checks: { "707": true } })],
    [policy("later", { checks: UNKNOWN })],
    address("later"),
  );
  const specification = (repository: string) => ({ registry: "r", repository, tag: "*" });
  const registries = resourceChange(
    registryScanAttributes,
    { specifications: [specification("wide/*"), { ...specification("some"), cap: null }] },
    { specifications: [specification("narrow"), { ...specification("some"), cap: 5 }] },
    { address: "cwp_registry_scan.registries", type: "cwp_registry_scan" },
  );
  const secret = policyChange([policy("hidden")], [], {
    ...address("secret"),
    beforeSensitive: [["policies", 0, "name"]],
  });
  const fresh = policyChange(undefined, [], { endpoint, ...address("fresh") });
  const unread = warning("Console is not readable yet: it does not respond", "Refused.");
  const old = { ...warning("Old release", "The release is old."), address: "cwp_thing.old" };
  return [
    stackPlan([withLive(changed)], {
      stack: "main",
      workspace: "blue",
      drift: [drifted],
      diagnostics: [old],
    }),
    stackPlan([partial], { stack: "second", workspace: "blue" }),
    stackPlan([registries], { stack: "sixth", workspace: "blue" }),
    stackPlan([later], { stack: "third", workspace: "blue" }),
    stackPlan([secret], { stack: "fourth", workspace: "blue" }),
    stackPlan([fresh], { stack: "fifth", workspace: "blue", diagnostics: [unread] }),
  ];
}

async function judged(): Promise<{ reviewed: Reviewed; text: string }> {
  const directory = mkdtempSync(join(tmpdir(), "every-member-"));
  writeFileSync(join(directory, "protection.yaml"), CONTRACT);
  const terminal = new TestTerminal({ directory });
  const opened = await ProtectionGate.open(
    terminal,
    { failOn: "weaker" },
    { names: undefined, labels: () => Promise.resolve(new Map<string, StackLabels>()) },
  );
  rmSync(directory, { recursive: true });
  if ("problems" in opened) throw new Error(opened.problems.map(({ detail }) => detail).join());
  const given = plans();
  const excluded = [{ stack: "dark", diagnostics: [error("No answer", "The console is off.")] }];
  const screen = openScreen(terminal, {});
  const verdict = opened.gate.judge(given, excluded);
  const diagnostics = given.flatMap((plan) => plan.diagnostics);
  const session = { plans: given, excluded, problems: [], diagnostics, applicable: true };
  reportPlanned(screen, session, given, {});
  opened.gate.refuse(screen, given, excluded);
  return {
    reviewed: { plans: given, excluded, verdict },
    text: `${terminal.out}\n${terminal.err}`,
  };
}

function failed() {
  const failure: readonly Diagnostic[] = [error("Missing address", "Set CONSOLE_URL.")];
  const terminal = new TestTerminal({ directory: tmpdir() });
  openScreen(terminal, {}).report(failure);
  return { failure, text: terminal.err };
}

test("each member of the document is in each form, or is named as left out", async () => {
  const { reviewed, text } = await judged();
  const { failure, text: said } = failed();
  const cases = [
    {
      document: reviewDocument(reviewed),
      forms: { text, markdown: renderMarkdown(reviewed), html: renderHtml(reviewed) },
    },
    {
      document: failureDocument(failure),
      forms: {
        text: said,
        markdown: renderFailureMarkdown(failure),
        html: renderFailureHtml(failure),
      },
    },
  ];
  expect(Object.keys(ROWS).sort()).toEqual([...new Set(membersOf(SCHEMA, "review"))].sort());
  const seen = new Set<string>();
  const missing: string[] = [];
  for (const { document, forms: written } of cases) {
    const forms: Readonly<Record<Form, string>> = {
      text: words(written.text),
      markdown: words(written.markdown),
      html: words(written.html),
      sarif: words(renderSarif(document, locate, "1")),
      junit: words(renderJunit(document, locate)),
    };
    for (const { path, value, object } of leavesOf(SCHEMA, "review", document, {})) {
      seen.add(path);
      const { words: wordsOf = (one: Scalar) => [String(one)], without = {} } = ROWS[path] ?? {};
      for (const form of FORMS) {
        if (without[form] !== undefined) continue;
        for (const word of wordsOf(value, form, object)) {
          if (!forms[form].includes(words(word))) missing.push(`${path}: "${word}" in ${form}`);
        }
      }
    }
  }
  expect([...new Set(missing)]).toEqual([]);
  expect(Object.keys(ROWS).filter((path) => !seen.has(path))).toEqual([]);
});
