import fc from "fast-check";
import { cases } from "../support/cases";
import type { Synthesized } from "./support/synthesized";
import { policyStack } from "./support/stacks";
import { NOTHING, Tenant } from "./support/tenant";

const SET_UP = {
  signedUp: { username: "admin", password: "correct-horse-battery" },
  licensed: true,
};
type Ownership = "exclusive" | "prefix" | "suffix";
type Policy = Readonly<Record<string, unknown>>;

/** Names of the stack and of manual policies; those in capitals are manual only. */
const OURS = ["a", "b", "c"];
const THEIRS = ["X", "Y", "Z"];

/** One change of a console. Numbers select among existing policies. */
type Step =
  | { readonly kind: "stack"; readonly names: readonly string[] }
  | { readonly kind: "add"; readonly name: string; readonly at: number }
  | { readonly kind: "remove" | "change" | "move"; readonly at: number; readonly to: number };

const at = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("stack" as const),
    names: fc.shuffledSubarray(OURS, { minLength: 1 }),
  }),
  fc.record({
    kind: fc.constant("add" as const),
    name: fc.constantFrom(...OURS, ...THEIRS),
    at,
  }),
  fc.record({ kind: fc.constantFrom("remove", "change", "move"), at, to: at }),
);

const stacks = new Map<string, Synthesized>();
function stackOf(ownership: Ownership, names: readonly string[]): Synthesized {
  const key = `${ownership} ${names.join(" ")}`;
  const known = stacks.get(key) ?? policyStack(names, { ownership });
  stacks.set(key, known);
  return known;
}

/** Edits the console manually. */
async function edit(tenant: Tenant, step: Exclude<Step, { kind: "stack" }>, count: number) {
  const policies: Policy[] = [...tenant.console.policies()];
  const index = policies.length === 0 ? 0 : step.at % policies.length;
  if (step.kind === "add") {
    // An unknown member, as text, because numbers may exceed the precision of a double.
    const notes = `note ${count}`;
    policies.splice(index, 0, { name: step.name, notes, collections: [{ id: count }] });
  } else if (step.kind === "remove") policies.splice(index, 1);
  else if (step.kind === "change") {
    const found = policies[index];
    if (found) policies[index] = { ...found, disabled: found.disabled !== true, notes: `${count}` };
  } else {
    const [moved] = policies.splice(index, 1);
    if (moved) policies.splice(step.to % (policies.length + 1), 0, moved);
  }
  await tenant.console.edit({ policies }, "somebody");
}

/** The unmanaged policies: neither in the state before the run nor in the stack. */
function unmanaged(policies: readonly Policy[], managed: readonly string[]): readonly Policy[] {
  const claimed = new Set<string>();
  return policies.filter(({ name }) => {
    const isOurs = managed.includes(String(name)) && !claimed.has(String(name));
    if (isOurs) claimed.add(String(name));
    return !isOurs;
  });
}

/** The policies that an exclusive apply planned to remove, from the plan. */
async function plannedBefore(tenant: Tenant): Promise<readonly string[]> {
  const session = await tenant.session();
  const change = session.plans[0]?.changes.find(({ type }) => type.includes("policy_set"));
  await session.close();
  const before = change?.before?.policies;
  return Array.isArray(before) ? before.map((policy: { name: string }) => policy.name) : [];
}

/** The console dates policies with a repeated name again, because it cannot identify them. */
function comparable(before: readonly Policy[]) {
  return (policy: Policy): Policy => {
    const isSingle = before.filter(({ name }) => name === policy.name).length === 1;
    return isSingle ? policy : { ...policy, modified: "", owner: "" };
  };
}

const namesOf = (policies: readonly Policy[]) => policies.map(({ name }) => String(name));

async function play(ownership: Ownership, steps: readonly Step[]): Promise<void> {
  const tenant = await Tenant.open(stackOf(ownership, ["a"]), SET_UP);
  try {
    /** The policies in the state, managed since the last successful apply. */
    let managed: readonly string[] = [];
    for (const [count, one] of steps.entries()) {
      if (one.kind !== "stack") {
        await edit(tenant, one, count);
        continue;
      }
      tenant.use(stackOf(ownership, one.names));
      const before = tenant.console.policies();
      const shown = await plannedBefore(tenant);
      const { errors } = await tenant.apply();
      const after = tenant.console.policies();
      if (errors.length > 0) {
        expect(errors.join()).toMatch(/Console has unmanaged/);
        expect(after).toBe(before);
        continue;
      }
      if (ownership === "exclusive") {
        // The plan showed every removed policy, except default policies.
        const gone = namesOf(before).filter((name) => !namesOf(after).includes(name));
        const expected = managed.length > 0 ? shown : [...one.names, ...DEFAULTS];
        expect(gone.filter((name) => !expected.includes(name))).toEqual([]);
        expect(namesOf(after)).toEqual(one.names);
      } else {
        const names = namesOf(after);
        const head = names.slice(0, one.names.length);
        const tail = names.slice(names.length - one.names.length);
        expect(ownership === "prefix" ? head : tail).toEqual(one.names);
        const rest =
          ownership === "prefix"
            ? after.slice(one.names.length)
            : after.slice(0, after.length - one.names.length);
        const ours = [...new Set([...managed, ...one.names])];
        const search = ownership === "suffix" ? [...before].reverse() : before;
        const others = unmanaged(search, ours);
        // Unchanged and in the same order, including the date of their last change.
        const expected = ownership === "suffix" ? [...others].reverse() : others;
        expect(rest.map(comparable(before))).toEqual(expected.map(comparable(before)));
      }
      managed = one.names;
      expect(await tenant.plan()).toEqual(NOTHING);
    }
  } finally {
    await tenant.close();
  }
}

const DEFAULTS = ["Default - ignore own components", "Default - alert on critical and high"];

test.each(["exclusive", "prefix", "suffix"] as const)(
  "whatever stack and people do to a console, with %s ownership nothing is lost unsaid",
  async (ownership) => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(step, { minLength: 3, maxLength: 8 })
          .map((steps) => [...steps, { kind: "stack" as const, names: ["b", "a"] }]),
        (steps) => play(ownership, steps),
      ),
      { numRuns: cases(5), endOnFailure: true },
    );
  },
);
