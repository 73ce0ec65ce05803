import fc from "fast-check";
import { cases } from "../../support/cases";
import { foundPolicies, jsonText, objectText, unknownMembers } from "../support/arbitraries";
import { storing } from "../support/consoles";
import { Engine } from "../support/engine";

/*
 * Unmanaged content is written back byte for byte: members that the specification does not name,
 * obsolete members, the spelling of numbers, and the envelope of the list.
 */

const PATH = "/api/v1/policies/compliance/container";
const OBSOLETE =
  '"previousName":"x","effect":"alert","action":["a"],"group":null,"graceDays":1e1,"allCompliance":true,"alertThreshold":{"value":1.0,"y":null}';

const policy = (name: string, members: readonly (readonly [string, string])[]) =>
  objectText([["name", JSON.stringify(name)], ...members]).replace(/\}$/, `,${OBSOLETE}}`);

/** Texts of unmanaged policies. */
const strangers = fc.array(
  fc
    .tuple(fc.constantFrom("x", "y", "ü"), unknownMembers)
    .map(([name, rest]) => policy(name, rest)),
  { maxLength: 3 },
);
const envelopes = fc.option(unknownMembers, { nil: undefined });

function wrapped(
  list: readonly string[],
  envelope: readonly (readonly [string, string])[] | undefined,
): string {
  const text = `[${list.join(",")}]`;
  return envelope
    ? objectText([...envelope.slice(0, 1), ["rules", text], ...envelope.slice(1)])
    : text;
}

test.each(["prefix", "suffix"])(
  "%s: keeps unknown members in create, change and destroy",
  async (ownership) => {
    await fc.assert(
      fc.asyncProperty(strangers, envelopes, async (others, envelope) => {
        const before = wrapped(others, envelope);
        const { connection, body } = storing(PATH, before);
        const engine = new Engine(connection, "cwp_compliance_policy_set");
        const config = (block: boolean) => ({
          ownership,
          policies: [{ name: "mine", checks: { 41: block } }],
        });
        const mine = (block: boolean) =>
          `{"name":"mine","disabled":false,"resources":{"hosts":["*"],"images":["*"],"labels":["*"],"containers":["*"],"namespaces":["*"],"accountIDs":["*"]},"condition":{"vulnerabilities":[{"id":41,"block":${block}}]},"verbose":false}`;
        const around = (own: string) =>
          wrapped(ownership === "prefix" ? [own, ...others] : [...others, own], envelope);

        await engine.applied(config(true));
        expect(body()).toBe(around(mine(true)));
        await engine.applied(config(false));
        expect(body()).toBe(around(mine(false)));
        expect(await engine.isConverged(config(false))).toBe(true);
        await engine.applied(null);
        expect(body()).toBe(before);
      }),
      { numRuns: cases(10) },
    );
  },
);

test("writes only managed members that differ", async () => {
  await fc.assert(
    fc.asyncProperty(unknownMembers, jsonText, jsonText, async (members, device, note) => {
      const found = (disabled: boolean, block: boolean) =>
        `[{"first":${note},"name":"mine","disabled":${disabled},"condition":{"xdevice":${device},"vulnerabilities":[{"block":${block},"id":4.1e1,"minSeverity":1.0,"xnote":${note}},{"id":57}]},"resources":{"hosts":["b","a"],"xclusters":${device}},${objectText(members).slice(1, -1)}${members.length > 0 ? "," : ""}"modified":"then"}]`;
      const { connection, body, bodies } = storing(PATH, found(true, false));
      const engine = new Engine(connection, "cwp_compliance_policy_set");
      expect(await engine.import("container")).toEqual([]);
      const config = (disabled: boolean, block: boolean) => ({
        policies: [
          {
            name: "mine",
            disabled,
            resources: { hosts: ["a", "b"] },
            checks: { 41: block, 57: false },
          },
        ],
      });
      expect(await engine.isConverged(config(true, false))).toBe(true);
      await engine.applied(config(false, true));
      expect(body()).toBe(found(false, true));
      await engine.applied(null);
      expect(body()).toBe(found(true, false));
      expect(bodies).toHaveLength(2);
    }),
    { numRuns: cases(10) },
  );
});

test("exclusive: restores unknown members", async () => {
  await fc.assert(
    fc.asyncProperty(strangers, envelopes, async (others, envelope) => {
      const systems = others.map((text) => text.replace(/^\{/, '{"owner":"system",'));
      const before = wrapped(systems, envelope);
      const { connection, body } = storing(PATH, before);
      const engine = new Engine(connection, "cwp_compliance_policy_set");
      await engine.applied({ policies: [{ name: "mine", checks: {} }] });
      expect(body()).toContain('"mine"');
      await engine.applied(null);
      expect(body()).toBe(before);
    }),
    { numRuns: cases(10) },
  );
});

test("keeps unmanaged entries with repeated names", async () => {
  await fc.assert(
    fc.asyncProperty(foundPolicies, async (found) => {
      const strange = found.filter(({ name }) => name === "x" || name === "y");
      const before = JSON.stringify([...strange, ...strange]);
      const { connection, body } = storing(PATH, before);
      const engine = new Engine(connection, "cwp_compliance_policy_set");
      await engine.applied({ ownership: "suffix", policies: [{ name: "mine", checks: {} }] });
      await engine.applied(null);
      expect(body()).toBe(before);
    }),
    { numRuns: cases(6) },
  );
});
