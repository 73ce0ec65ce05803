import { checkLineage, readState } from "../../../src/formats/state-file/read";

const SECRET = "hunter2";
const state = (members: object) =>
  JSON.stringify({ version: 4, serial: 1, lineage: "l", resources: [], outputs: {}, ...members });
const resource = (members: object, instance: object = {}) =>
  state({
    resources: [
      {
        mode: "managed",
        type: "t_t",
        name: "n",
        provider: "p",
        instances: [{ schema_version: 0, attributes: { password: SECRET }, ...instance }],
        ...members,
      },
    ],
  });

test.each<[string, string | Buffer, string, RegExp]>([
  ["empty", "", "State file is empty", /Restore it from a backup/],
  ["binary", Buffer.from([0x7b, 0xff, 0xfe]), "State file is not text", /UTF-8/],
  [
    "cut off",
    `{"version": 4,\n "lineage": "${SECRET}`,
    "State file is truncated",
    /ends within its JSON, after 35 bytes/,
  ],
  [
    "a merge conflict",
    '{\n<<<<<<< HEAD\n"version": 4}',
    "State file is not JSON",
    /line 2, column 1/,
  ],
  ["other JSON", '{"name": "package"}', "Not a state file", /no state version/],
  [
    "encrypted by OpenTofu",
    '{"serial": 1, "lineage": "l", "encrypted_data": "eyJ=", "encryption_version": "v0"}',
    "State is encrypted",
    /sound.*--engine tofu/,
  ],
  ["not an object", "[4]", "Not a state file", /no state version/],
  ["of Terraform 0.11", '{"version": 3, "modules": []}', "State of an old Terraform", /version 3/],
  ["of the future", '{"version": 5}', "State of a newer Terraform", /version 5/],
  ["of a wrong shape", state({ resources: {} }), "Unusable state file", /resources/],
  [
    "with an unknown mode",
    resource({ mode: "other" }),
    "Unusable state file",
    /resources\.0\.mode/,
  ],
  [
    "with an unknown status",
    resource({}, { status: "odd" }),
    "Unusable state file",
    /instances\.0\.status/,
  ],
  [
    "with a private that is not base64",
    resource({}, { private: "%" }),
    "Unusable state file",
    /private/,
  ],
  ["with a negative serial", state({ serial: -1 }), "Unusable state file", /serial/],
  ["with an invalid name", resource({ name: "a b" }), "Unusable state file", /t_t\.a b/],
  [
    "with one instance twice",
    resource({ instances: [{ index_key: "a" }, { index_key: "a" }] }),
    "Unusable state file",
    /t_t\.n\["a"\] more than once/,
  ],
])("says what is wrong with a state that is %s", (_, text, summary, detail) => {
  const { state: read, diagnostics } = readState(Buffer.from(text), "s.tfstate");
  expect(read).toBeUndefined();
  expect(diagnostics).toEqual([
    { severity: "error", summary, detail: expect.stringMatching(detail) as string },
  ]);
  expect(JSON.stringify(diagnostics)).toContain("s.tfstate");
  expect(JSON.stringify(diagnostics)).not.toContain(SECRET);
});

test("names the unusable parts at once, in one diagnostic", () => {
  const text = state({ serial: "x", resources: [{}], outputs: { o: {} } });
  const { diagnostics } = readState(Buffer.from(text), "s.tfstate");
  expect(diagnostics.map(({ detail }) => detail)).toEqual([
    [
      "s.tfstate is not as Terraform writes it:",
      "",
      "  - serial: must be a number",
      "  - outputs.o.value: is missing",
      "  - outputs.o.type: is missing",
      "  - resources.0.mode: is missing",
      "  - resources.0.type: is missing",
      "  - and 2 more",
      "",
      "Restore it from a backup; the file was not changed.",
    ].join("\n"),
  ]);
});

test("accepts a state without lineage, and deposed objects next to the current one", () => {
  const { state: read, diagnostics } = readState(
    Buffer.from(
      resource({ instances: [{}, { deposed: "0123abcd" }, { deposed: "0123abce" }] }).replace(
        '"lineage":"l",',
        "",
      ),
    ),
    "s.tfstate",
  );
  expect(diagnostics).toEqual([]);
  expect(read?.lineage).toBe("");
  expect(read?.resources[0]?.instances).toHaveLength(3);
});

test("distinguishes states of two stacks by their lineage", () => {
  const at = (lineage: string, location: string) => ({ lineage, location });
  expect(checkLineage(at("a", "x"), at("a", "y"))).toEqual([]);
  expect(checkLineage(at("", "x"), at("a", "y"))).toEqual([]);
  expect(checkLineage(at("a", "saved.plan"), at("b", "s.tfstate"))).toEqual([
    {
      severity: "error",
      summary: "State of another stack",
      detail: expect.stringMatching(/s\.tfstate has the lineage b.*saved\.plan has a/) as string,
    },
  ]);
});
