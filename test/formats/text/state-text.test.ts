import { readFileSync } from "node:fs";
import { join } from "node:path";
import { anything, optional, string } from "../../../src/core/schema/attribute";
import { parseJson } from "../../../src/core/json/lossless-json";
import { renderStateJson } from "../../../src/formats/json/state-json";
import {
  renderOutputs,
  renderOutputValue,
  renderState,
} from "../../../src/formats/text/state-text";
import { createStyle } from "../../../src/formats/text/style";
import { readState } from "../../../src/formats/state-file/read";
import { emptyState, newInstance, type State } from "../../../src/core/documents/state";
import type { Json } from "../../../src/core/documents/state-value";
import { SCHEMAS } from "../terraform-plan";

const FIXTURES = join(__dirname, "../fixtures", "state");
const fixture = (file: string) => readFileSync(join(FIXTURES, file));
const style = createStyle(false);

describe("a state that Terraform wrote", () => {
  const { state } = readState(fixture("state.json"), "state.json");

  test("is shown as by `terraform show`", () => {
    const text = renderState(state!, ({ type }) => SCHEMAS[type], style);
    expect(text).toBe(fixture("state.txt").toString());
  });

  test("lists its outputs as `terraform output` does", () => {
    expect(renderOutputs(state!.outputs)).toBe(fixture("outputs.txt").toString());
  });
});

test("reports an empty state", () => {
  expect(renderState(emptyState(), () => undefined, style)).toBe(
    "The state file is empty. No resources are represented.\n",
  );
});

test("shows all digits of numbers", () => {
  const digits = ["12345678901234567890123", "0.1234567890123456789012345"];
  const input = parseJson(`{"value":[${digits.join()}],"type":["tuple",["number","number"]]}`);
  const provider = 'provider["terraform.io/builtin/terraform"]';
  const instances = [newInstance({ id: "1", input: input as Json })];
  const resource = { mode: "managed", type: "terraform_data", name: "x", provider } as const;
  const state = { ...emptyState(), resources: [{ ...resource, instances }] };
  const schemaOf = () => ({ id: optional(string(), ""), input: optional(anything(), "") });
  for (const text of digits) {
    expect(renderState(state, schemaOf, style)).toContain(`${text},\n`);
    expect(renderStateJson(state, schemaOf)).toContain(text);
  }
});

describe("a resource of an unsupported provider", () => {
  const state: State = {
    ...emptyState(),
    resources: [
      {
        mode: "managed",
        type: "other_thing",
        name: "x",
        provider: 'provider["registry.terraform.io/other/other"]',
        instances: [
          {
            ...newInstance({ id: "1", size: 3, unset: null, secret: "s3cret" }),
            indexKey: "k",
            deposed: "0a1b2c3d",
            sensitivePaths: [[{ type: "get_attr", value: "secret" }]],
          },
        ],
      },
    ],
  };

  test("is shown without a schema, its sensitive attributes hidden", () => {
    expect(renderState(state, () => undefined, style)).toBe(
      [
        '# other_thing.x["k"]: (deposed object 0a1b2c3d)',
        'resource "other_thing" "x" {',
        '    id     = "1"',
        "    secret = (sensitive value)",
        "    size   = 3",
        "}",
        "",
      ].join("\n"),
    );
  });
});

describe("values of outputs", () => {
  test.each([
    ["a null of a known type", null, ["list", "string"], "tolist(null) /* of string */"],
    ["a null object", null, ["object", { a: "string" }], "null /* object */"],
    ["an empty map", {}, ["map", "string"], "tomap({})"],
    ["a line that looks like the end", "a\nEOT", "string", "<<EOT_\na\nEOT\nEOT_"],
  ])("%s", (_, value, type, expected) => {
    expect(renderOutputValue(value, type)).toBe(expected);
  });
});
