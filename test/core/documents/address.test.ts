import * as fc from "fast-check";
import {
  compareAddresses,
  formatAddress,
  parseAddress,
  type InstanceAddress,
} from "../../../src/core/documents/address";

test.each<[string, InstanceAddress]>([
  ["cwp_license.main", { mode: "managed", type: "cwp_license", name: "main" }],
  ["data.cwp_images.all", { mode: "data", type: "cwp_images", name: "all" }],
  ["a_b.c[3]", { mode: "managed", type: "a_b", name: "c", key: 3 }],
  ['a_b.c["x.y"]', { mode: "managed", type: "a_b", name: "c", key: "x.y" }],
  ['a_b.c[""]', { mode: "managed", type: "a_b", name: "c", key: "" }],
  [
    'module.m["k]"].module.n[2].data.a_b.c-d',
    { module: 'module.m["k]"].module.n[2]', mode: "data", type: "a_b", name: "c-d" },
  ],
  [
    'a_b.c["q\\"\\\\\\n\\u2028$${x}%%{y}$"]',
    { mode: "managed", type: "a_b", name: "c", key: 'q"\\\n\u2028${x}%{y}$' },
  ],
])("reads and writes %s", (text, address) => {
  expect(parseAddress(text)).toEqual(address);
  expect(formatAddress(address)).toBe(text);
});

test.each([
  "",
  "license",
  "a.b.c",
  "a.b[",
  "a.b[-1]",
  "a.b[1.5]",
  "a[0].b",
  "a.b[x]",
  'a.b["${x}"]',
  String.raw`a.b["\q"]`,
  String.raw`a.b["\U00110000"]`,
  "module.m",
  "module.a.b",
  "module[0].m.a.b",
  "data.a",
  "a.b ",
  "a..b",
  "1a.b",
])("takes %p for no address", (text) => {
  expect(parseAddress(text)).toBeUndefined();
});

const name = fc
  .stringMatching(/^[a-z_é][a-z0-9_-]{0,5}$/)
  .filter((text) => !/^(data|module)$/.test(text));
const key = fc.option(fc.oneof(fc.nat(), fc.string({ unit: "binary" })), { nil: undefined });
const place = { mode: fc.constantFrom("managed" as const, "data" as const), type: name, name };

test("reads every address that it writes, in any module", () => {
  const step = fc.record({
    ...place,
    mode: fc.constant("managed" as const),
    type: fc.constant("module"),
    key,
  });
  fc.assert(
    fc.property(fc.array(step), fc.record({ ...place, key }), (steps, address) => {
      const module = steps.map(formatAddress).join(".");
      const full = { ...address, module: module === "" ? undefined : module };
      expect(parseAddress(formatAddress(full))).toEqual(full);
    }),
  );
});

test("orders the root before modules, modules by depth, and numbers by value", () => {
  const ordered = [
    "data.z.z",
    "a.b",
    "a.b[2]",
    "a.b[10]",
    'a.b["10"]',
    'a.b["9"]',
    "module.a[2].z.z",
    "module.a[10].a.a",
    "module.b.a.a",
    "module.a.module.a.a.a",
  ].map((text) => parseAddress(text)!);
  expect(ordered.toReversed().sort(compareAddresses).map(formatAddress)).toEqual(
    ordered.map(formatAddress),
  );
});
