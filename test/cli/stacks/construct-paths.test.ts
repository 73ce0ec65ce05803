import { resolveConstructPaths } from "../../../src/cli/stacks/construct-paths";
import { constructAddresses } from "../../../src/language/config/construct-addresses";

/** A stack whose resources of one type have these construct paths, by name. */
const stack = (name: string, paths: Readonly<Record<string, string>>) => ({
  stack: name,
  blocks: constructAddresses({
    resource: {
      cwp_license: Object.fromEntries(
        Object.entries(paths).map(([id, path]) => [id, { "//": { metadata: { path } } }]),
      ),
      null_resource: { byHand: {}, "//": "a comment" },
    },
    data: { cwp_images: { all: { "//": { metadata: { path: `${name}/images` } } } } },
  }),
});
const prod = stack("prod", { a: "prod/eu/license", b: "prod/us/license", c: "prod/gates" });
const addresses = (text: string, ...stacks: (typeof prod)[]) => {
  const resolved = resolveConstructPaths([text], stacks.length === 0 ? [prod] : stacks);
  return "addresses" in resolved
    ? resolved.addresses
    : resolved.problems.map(({ summary, detail }) => `${summary}: ${detail}`);
};

test.each([
  ["prod/eu/license", "cwp_license.a"],
  ["us/license", "cwp_license.b"],
  ["gates[0]", "cwp_license.c[0]"],
  ['gates["eu"]', 'cwp_license.c["eu"]'],
  ["images", "data.cwp_images.all"],
  // Addresses stay as they are, whether they exist or not.
  ["cwp_license.x[1]", "cwp_license.x[1]"],
  ["module.network", "module.network"],
])("resolves %s", (text, address) => {
  expect(addresses(text)).toEqual([address]);
});

test("refuses the end of several paths, with their addresses", () => {
  const [problem] = addresses("license");
  expect(problem).toContain("Ambiguous construct path");
  expect(problem).toContain("cwp_license.a (construct prod/eu/license)");
});

test("takes the construct of each selected stack", () => {
  const dev = stack("dev", { x: "dev/gates" });
  expect(addresses("gates", prod, dev)).toEqual(["cwp_license.c", "cwp_license.x"]);
});

test("refuses a path whose address another selected stack has for another construct", () => {
  const dev = stack("dev", { c: "dev/other" });
  expect(addresses("prod/gates", prod, dev)[0]).toContain("Select the stack of the construct");
});

test.each([
  ["gatex", "gates"],
  ["prod/eu/licence", "prod/eu/license"],
])("suggests the nearest path for %s", (text, near) => {
  expect(addresses(text)[0]).toMatch(new RegExp(`^Invalid address: .*Did you mean "${near}"`));
});

test.each([null, [], { resource: [] }, { resource: { a: 1, b: { c: null } } }])(
  "has no addresses for %j",
  (json) => {
    expect(constructAddresses(json)).toEqual([]);
  },
);
