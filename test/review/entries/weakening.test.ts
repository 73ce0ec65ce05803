import type { Attributes } from "../../../src/provider/schema/attribute";
import { registryScanAttributes } from "../../../src/provider/resources/registry-scan";
import { serverlessAutoDeployAttributes } from "../../../src/provider/resources/serverless-auto-deploy";
import { serverlessScanAttributes } from "../../../src/provider/resources/serverless-scan";
import { UNKNOWN, type ObjectValue, type Value } from "../../../src/provider/values";
import { renderEntries } from "../../../src/review/entries/entries-text";
import { createStyle } from "../../../src/review/text/style";
import { policy, policyChange, resourceChange } from "./changes";

const options = { style: createStyle(false), width: 100 };
/** The text below the heading. */
const textOf = (change: ReturnType<typeof resourceChange>) =>
  renderEntries(change, options).join("\n").split("\n").slice(1).join("\n");
const listed =
  (attributes: Attributes, list: string) =>
  (before: readonly ObjectValue[], after: readonly ObjectValue[]) =>
    textOf(resourceChange(attributes, { [list]: before }, { [list]: after }));

const registries = listed(registryScanAttributes, "specifications");
const scans = listed(serverlessScanAttributes, "scopes");
const deploys = listed(serverlessAutoDeployAttributes, "specs");
const policies = (before: readonly Value[], after: readonly Value[]) =>
  textOf(policyChange(before, after));

describe("a pattern covers names with its prefix", () => {
  const hosts = (...all: string[]) => policy("p", { resources: { hosts: all } });
  test.each<[string, string[], string[], string]>([
    ["a pattern for its prefix", ["prod-eu-*"], ["prod-*"], 'widened, now also "prod-*"'],
    [
      "a prefix for a longer one",
      ["prod-*"],
      ["prod-eu-*", "prod-us-*"],
      'narrowed from "prod-*" to "prod-eu-*", "prod-us-*" # weakens protection',
    ],
    ["one of two", ["a", "b"], ["a"], 'narrowed, no longer "b" # weakens protection'],
    ["another", ["a*"], ["b*"], 'changed, no longer "a*", but "b*" # weakens protection'],
  ])("%s", (_, before, after, words) => {
    expect(policies([hosts(...before)], [hosts(...after)])).toContain(`resources.hosts ${words}`);
  });
});

test("does not weaken protection by names that a pattern covers", () => {
  const hosts = (...all: string[]) => policy("p", { resources: { hosts: all } });
  expect(policies([hosts("prod-*", "prod-1")], [hosts("prod-*")])).toBe(`  ~ "p", no. 1
      resources.hosts: [
            "prod-*",
          - "prod-1",
        ]`);
});

describe("a weaker policy with a wider scope", () => {
  const narrow = policy("narrow", { resources: { namespaces: ["prod-*"] }, checks: { "5": true } });
  const broad = policy("broad", { checks: { "5": false } });

  const other = { ...narrow, name: "other" };

  test("weakens a policy when it moves ahead of it", () => {
    expect(policies([narrow, policy("kept"), broad], [broad, narrow, policy("kept")])).toBe(
      `  ~ "broad" moved from no. 3 to no. 1
      now ahead of "narrow", which it covers, and is weaker # weakens protection
    # (2 policies unchanged, and in the same order)
    1 change weakens protection.`,
    );
  });

  test("weakens policies when it is added ahead of them", () => {
    const all = ["a", "b", "c", "d", "e"].map((name) => ({ ...narrow, name }));
    expect(policies(all, [broad, ...all])).toContain(
      `now ahead of "a", "b", "c" and 2 more, which it covers, and is weaker # weakens protection`,
    );
  });

  test("weakens a policy that moves behind it", () => {
    const others = ["x", "y"].map((name) => ({ ...narrow, name }));
    expect(policies([narrow, broad, ...others], [broad, ...others, narrow])).toContain(
      `  ~ "narrow" moved from no. 1 to no. 4
      now behind "broad", which covers it, and is weaker # weakens protection`,
    );
  });

  test("weakens a policy when it is enabled ahead of it", () => {
    const off = { ...broad, disabled: true };
    expect(policies([off, narrow], [broad, narrow])).toContain("now ahead of");
  });

  test.each<[string, Value[], Value[]]>([
    [
      "is not weaker",
      [narrow, policy("b", { checks: { "5": true } })],
      [policy("b", { checks: { "5": true } }), narrow],
    ],
    [
      "has the same scope",
      [policy("a", { checks: { "7": true } }), broad],
      [broad, policy("a", { checks: { "7": true } })],
    ],
    [
      "has another scope",
      [narrow, { ...broad, resources: { ...(broad.resources as ObjectValue), hosts: ["x"] } }],
      [{ ...broad, resources: { ...(broad.resources as ObjectValue), hosts: ["x"] } }, narrow],
    ],
    ["is disabled", [narrow, { ...broad, disabled: true }], [{ ...broad, disabled: true }, narrow]],
    ["was ahead before", [broad, narrow, other], [other, broad, narrow]],
    ["is not known", [narrow, broad], [{ ...broad, checks: UNKNOWN }, narrow]],
    [
      "was ahead while the scopes were the same",
      [broad, policy("narrow")],
      [broad, { ...narrow, checks: { "41": true } }],
    ],
  ])("weakens nothing if it %s", (_, before, after) => {
    expect(policies(before, after)).not.toContain("ahead of");
    expect(policies(before, after)).not.toContain("behind");
  });
});

describe("registry specifications", () => {
  const one = (cap: Value): ObjectValue => ({ registry: "r", repository: "*", tag: "*", cap });
  test.each<[Value, Value, boolean]>([
    [50, 5, true],
    [5, 50, false],
    [0, 5, true],
    [5, 0, false],
    [5, null, false],
    [null, 5, false],
    [5, UNKNOWN, false],
  ])("scan %p of the images, then %p", (before, after, weakens) => {
    const text = registries([one(before)], [one(after)]);
    expect(text).toContain("cap");
    expect(text.includes("weakens protection")).toBe(weakens);
  });
});

describe("serverless scan scopes", () => {
  test("are described by credentials, provider and region", () => {
    const scope = (region: string, given: ObjectValue = {}) => ({
      credential_id: null,
      credential_ids: ["one", "two"],
      provider: "aws",
      region,
      enabled: true,
      ...given,
    });
    expect(
      scans(
        [
          scope("eu"),
          scope("us"),
          scope("ap", { enabled: false }),
          scope("sa", { enabled: false }),
        ],
        [scope("eu", { enabled: false }), scope("ca"), scope("ap"), scope("sa", { enabled: null })],
      ),
    ).toBe(`  ~ "one,two aws eu"
      disabled # weakens protection
  + "one,two aws ca" added
  ~ "one,two aws ap"
      enabled
  ~ "one,two aws sa"
      enabled: false -> null
  - "one,two aws us" removed # weakens protection
    2 changes weaken protection.`);
  });
});

describe("serverless auto-deploy specifications", () => {
  test("are removed, and narrowed to fewer runtimes", () => {
    const spec = (name: string, runtimes: Value): ObjectValue => ({
      name,
      credential_id: "aws",
      runtimes,
    });
    expect(
      deploys(
        [spec("orders", ["nodejs", "python"]), spec("gone", null), spec("free", ["go"])],
        [spec("orders", ["python"]), spec("free", null)],
      ),
    ).toBe(`  ~ "orders"
      runtimes narrowed, no longer "nodejs" # weakens protection
  ~ "free"
      runtimes: [
          - "go",
        ] -> null
  - "gone" removed # weakens protection
    2 changes weaken protection.`);
  });
});
