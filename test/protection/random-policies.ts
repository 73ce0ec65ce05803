import fc from "fast-check";
import type { Policy, Scope, Workload } from "../../src/protection/policy";

/* Random policies and workloads over few letters, so that patterns and values meet. */

/** Every text of up to three letters over the patterns' alphabet, and one letter beside it. */
const TEXTS = texts(["a", "b", "z"], 3);

const pattern = fc
  .tuple(
    fc.constantFrom("", "", "-"),
    fc.array(fc.constantFrom("a", "b", "*", "B"), { maxLength: 4 }),
  )
  .map(([sign, letters]) => sign + letters.join(""));
const patterns = fc.oneof(
  { weight: 3, arbitrary: fc.constant(["*"]) },
  { weight: 2, arbitrary: fc.array(pattern, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(pattern, { maxLength: 2 }).map((some) => ["*", ...some]) },
);
const scope: fc.Arbitrary<Scope> = fc.record({
  images: patterns,
  containers: patterns,
  namespaces: patterns,
  hosts: patterns,
  labels: patterns,
  account_ids: patterns,
});
export const fewFields: fc.Arbitrary<Scope> = fc.record(
  { namespaces: patterns, labels: patterns, images: patterns },
  { requiredKeys: [] },
);
const members = {
  name: fc.string({ maxLength: 3 }),
  disabled: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.boolean()),
  scope: fc.oneof(scope, fewFields),
  checks: fc.dictionary(fc.constantFrom("41", "51", "599"), fc.boolean()),
};
/** A policy of one scope, or of a union of several, as collections are. */
export const policy: fc.Arbitrary<Policy> = fc.oneof(
  { weight: 3, arbitrary: fc.record(members) },
  {
    weight: 1,
    arbitrary: fc.record({ ...members, or: fc.array(fewFields, { minLength: 1, maxLength: 2 }) }),
  },
);
export const policies = fc.array(policy, { maxLength: 12 });

/** Two sets without relation, or one that was edited as people do. */
export const pair = fc.oneof(
  fc.tuple(policies, policies),
  fc
    .tuple(policies, fc.nat(), fc.nat(), policy)
    .map(([set, from, to, added]): [Policy[], Policy[]] => [set, edited(set, from, to, added)]),
);

const value = fc.option(fc.constantFrom(...TEXTS));
export const workload: fc.Arbitrary<Workload> = fc.record({
  image: value,
  container: value,
  namespace: value,
  host: value,
  account_id: value,
  labels: fc.array(fc.constantFrom(...TEXTS), { maxLength: 3 }),
});

function edited(set: readonly Policy[], from: number, to: number, added: Policy): Policy[] {
  const copy = [...set];
  const [moved] = copy.splice(from % (set.length + 1), 1);
  copy.splice(to % (copy.length + 1), 0, ...(from % 2 === 0 && moved ? [moved] : [added]));
  return copy;
}

function texts(letters: readonly string[], length: number): string[] {
  if (length === 0) return [];
  const shorter = texts(letters, length - 1);
  return [...letters, ...shorter.flatMap((text) => letters.map((letter) => text + letter))].filter(
    (text, at, all) => all.indexOf(text) === at,
  );
}
