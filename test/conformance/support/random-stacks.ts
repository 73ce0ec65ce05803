import fc from "fast-check";
import type { StackJson } from "../../cli/stack-files";
import { consoleBlock, policy, specification, stackOf } from "./stacks";
import type { Turn } from "./conform";

/** The parts of a random stack; undefined parts are absent. */
interface Parts {
  readonly policies: Policies | undefined;
  readonly registry: Registry | undefined;
  readonly deploy: readonly string[] | undefined;
  readonly gates: Gates | undefined;
  readonly behind: Behind | undefined;
  readonly reads: boolean;
}

interface Policies {
  readonly ownership: "exclusive" | "prefix" | "suffix";
  readonly onDestroy: "restore" | "clear" | "keep";
  readonly rules: readonly Rule[];
}

interface Rule {
  readonly name: string;
  readonly disabled: boolean;
  readonly check: "41" | "51" | "599";
  readonly block: boolean;
  /** True where it contains a value that is known after apply. */
  readonly late: boolean;
}

interface Registry {
  readonly ownership: "exclusive" | "shared";
  readonly repositories: readonly string[];
  readonly cap: number;
}

interface Gates {
  readonly repeat: number | readonly string[] | undefined;
  readonly trigger: string;
  readonly createFirst: boolean;
  readonly sensitive: boolean;
}

interface Behind {
  readonly createFirst: boolean;
  readonly ignores: boolean;
  readonly precondition: boolean;
}

/** A manual change before a step. */
type Drift = "reversed" | "emptied" | "foreign" | "registry";

interface Edit {
  readonly change: Partial<Parts>;
  readonly drift: Drift | undefined;
  readonly request: NonNullable<Turn["request"]>;
}

/** A stack and its edits: added, removed and changed parts, drift, and options of plans. */
export interface RandomStack {
  readonly first: Parts;
  readonly edits: readonly Edit[];
}

const some = <T>(part: fc.Arbitrary<T>) => fc.option(part, { nil: undefined, freq: 3 });
const name = fc.constantFrom("First", "Second", "Third", "<a&b>", "é");

const parts: { readonly [Key in keyof Parts]: fc.Arbitrary<Parts[Key]> } = {
  policies: some(
    fc.record({
      ownership: fc.constantFrom("exclusive", "exclusive", "prefix", "suffix"),
      onDestroy: fc.constantFrom("restore", "restore", "clear", "keep"),
      rules: fc.uniqueArray(
        fc.record({
          name,
          disabled: fc.boolean(),
          check: fc.constantFrom("41", "51", "599"),
          block: fc.boolean(),
          late: fc.boolean(),
        }),
        { minLength: 1, maxLength: 4, selector: (rule) => rule.name },
      ),
    }),
  ),
  registry: some(
    fc.record({
      ownership: fc.constantFrom("exclusive", "shared"),
      repositories: fc.uniqueArray(fc.constantFrom("a/*", "b/*", "c/d", "*"), { maxLength: 3 }),
      cap: fc.integer({ min: 1, max: 9 }),
    }),
  ),
  deploy: some(fc.uniqueArray(name, { maxLength: 3 })),
  gates: some(
    fc.record({
      repeat: fc.oneof(
        fc.constant(undefined),
        fc.integer({ min: 0, max: 3 }),
        fc.uniqueArray(fc.constantFrom("a", "b/c", 'd"e'), { maxLength: 3 }),
      ),
      trigger: fc.constantFrom("1", "2"),
      createFirst: fc.boolean(),
      sensitive: fc.boolean(),
    }),
  ),
  behind: some(
    fc.record({ createFirst: fc.boolean(), ignores: fc.boolean(), precondition: fc.boolean() }),
  ),
  reads: fc.boolean(),
};

export const randomStack: fc.Arbitrary<RandomStack> = fc.record({
  first: fc.record(parts),
  edits: fc.array(
    fc.record({
      change: fc.record(parts, { requiredKeys: [] }),
      drift: fc.option(fc.constantFrom<Drift[]>("reversed", "emptied", "foreign", "registry"), {
        nil: undefined,
      }),
      request: fc.oneof(
        { weight: 5, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.constant({ mode: "refresh-only" as const }) },
        { weight: 1, arbitrary: fc.constant({ mode: "destroy" as const }) },
        { weight: 1, arbitrary: fc.constant({ refresh: false }) },
      ),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

export function turnsOf({ first, edits }: RandomStack): readonly Turn[] {
  let current = first;
  // A turn may have failed, so that the console is still as after an earlier one.
  const earlier: Parts[] = [first];
  const turns: Turn[] = [{ stack: stackOfParts(first) }];
  for (const { change, drift, request } of edits) {
    current = inOrder(earlier, { ...current, ...change });
    turns.push({
      stack: stackOfParts(current),
      before: ({ console }) => drift && console.edit(driftOf(drift, console.policies())),
      request: hasEnding(earlier, current) ? { ...request, refresh: true } : request,
    });
    earlier.push(current);
  }
  return turns;
}

/**
 * True where an object is removed. Terraform plans removals before it refreshes, so the provider
 * reads the object even without a refresh, and accepts earlier drift. If the removal of a replaced
 * object is refused, Terraform loses its sensitive paths.
 */
function hasEnding(earlier: readonly Parts[], after: Parts): boolean {
  return earlier.some(
    (before) =>
      ends(before.policies, after.policies) ||
      ends(before.registry, after.registry) ||
      (before.deploy !== undefined && after.deploy === undefined),
  );
}

function ends(before: Policies | Registry | undefined, after: Policies | Registry | undefined) {
  return before !== undefined && before.ownership !== after?.ownership;
}

/**
 * Avoids a collection whose new owner is created before the old one is destroyed where ownership
 * changes. The apply may refuse it, because the plan cannot know which members will be removed, and
 * Terraform's state then has no current object.
 */
function inOrder(earlier: readonly Parts[], { behind, ...after }: Parts): Parts {
  const isKept = (one: Policies | Registry | undefined, other: Policies | Registry | undefined) =>
    !one || !other || one.ownership === other.ownership;
  const isSafe = earlier.every(
    (before) => isKept(before.policies, after.policies) && isKept(before.registry, after.registry),
  );
  return { ...after, behind: behind && { ...behind, createFirst: behind.createFirst && isSafe } };
}

function driftOf(drift: Drift, policies: readonly object[]) {
  switch (drift) {
    case "reversed":
      return { policies: [...policies].reverse() as Readonly<Record<string, unknown>>[] };
    case "emptied":
      return { policies: [] };
    case "foreign":
      return { policies: [{ name: "Theirs" }] };
    case "registry":
      return { registry: [specification("theirs/*")] };
  }
}

function stackOfParts({ policies, registry, deploy, gates, behind, reads }: Parts): StackJson {
  const late = gates === undefined ? "none" : "${local.late}";
  const resource = {
    ...(policies && {
      cwp_compliance_policy_set: { all: policySet(policies, late) },
    }),
    ...(registry && {
      cwp_registry_scan: {
        all: {
          ownership: registry.ownership,
          specifications: registry.repositories.map((repository) =>
            specification(repository, { cap: registry.cap }),
          ),
        },
      },
    }),
    ...(deploy && {
      cwp_serverless_auto_deploy: {
        all: { specs: deploy.map((one) => ({ name: one, credential_id: "aws" })) },
      },
    }),
    ...((gates ?? behind) && {
      null_resource: {
        ...(gates && { gate: gateOf(gates) }),
        ...(behind && {
          behind: {
            triggers: {
              digest: policies ? "${cwp_compliance_policy_set.all.content_sha256}" : "none",
              late,
            },
            ...(registry && { depends_on: ["cwp_registry_scan.all"] }),
            lifecycle: {
              create_before_destroy: behind.createFirst,
              ...(behind.ignores && { ignore_changes: ['triggers["digest"]'] }),
              ...(behind.precondition && {
                precondition: { condition: '${var.hidden != ""}', error_message: "Nothing." },
              }),
            },
          },
        }),
      },
    }),
  };
  const digest = policies && {
    digest: { value: "${cwp_compliance_policy_set.all.content_sha256}" },
  };
  const read = reads && {
    names: { value: '${join(",", data.cwp_compliance_policies.all.policies[*].name)}' },
  };
  const ids = gates && { gates: { value: "${null_resource.gate}", sensitive: true } };
  return stackOf(resource, {
    provider: { cwp: [consoleBlock(1, { max_retries: 0 })] },
    variable: { hidden: { type: "string", default: "1", sensitive: true } },
    ...(gates && {
      locals: { late: '${sha256(jsonencode(null_resource.gate)) == "" ? "none" : "late"}' },
    }),
    ...(reads && {
      data: {
        cwp_compliance_policies: {
          all: policies ? { depends_on: ["cwp_compliance_policy_set.all"] } : {},
        },
      },
    }),
    ...((policies !== undefined || reads || gates !== undefined) && {
      output: { ...digest, ...read, ...ids },
    }),
  });
}

function policySet({ ownership, onDestroy, rules }: Policies, late: string): object {
  return {
    ownership,
    on_destroy: onDestroy,
    policies: rules.map((rule) =>
      policy(rule.name, {
        disabled: rule.disabled,
        checks: { [rule.check]: rule.block },
        ...(rule.late && { resources: { labels: [late, "b"] } }),
      }),
    ),
  };
}

function gateOf({ repeat, trigger, createFirst, sensitive }: Gates): object {
  return {
    ...(typeof repeat === "number" && { count: repeat }),
    ...(typeof repeat === "object" && {
      for_each: Object.fromEntries(repeat.map((key) => [key, key])),
    }),
    triggers: {
      trigger: sensitive ? "${nonsensitive(var.hidden)}" : trigger,
      hidden: "${var.hidden}",
    },
    lifecycle: { create_before_destroy: createFirst },
  };
}
