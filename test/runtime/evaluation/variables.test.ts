import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mark } from "../../../src/core/marks";
import { nullOf, typeOf } from "../../../src/core/typed-values";
import { UNKNOWN } from "../../../src/core/values";
import { parseStack } from "../../../src/language/config/stack";
import type { VariableInputs } from "../../../src/language/config/variable-sources";
import { checkVariable, resolveVariables } from "../../../src/runtime/evaluation/variables";
import { parseNumber } from "../../../src/language/expressions/numbers";
import { EMPTY_SCOPE } from "../../../src/language/expressions/scope";
import { STRING } from "../../../src/core/types";

async function resolve(variable: object, inputs: Partial<VariableInputs> = {}, stackFolder = "/s") {
  const { config, diagnostics: faults } = await parseStack(
    Object.keys(variable).length > 0 ? { variable } : {},
    { name: "s", directory: stackFolder, workspace: "default" },
  );
  expect(faults).toEqual([]);
  const { values, diagnostics } = await resolveVariables([config!], {
    environment: {},
    directories: [],
    given: [],
    ...inputs,
  });
  const ofStack = values.get("s")!;
  const scope = { ...EMPTY_SCOPE, variable: (name: string) => ofStack.get(name) };
  const checked = [...config!.variables.values()].map((one) => checkVariable(one, scope));
  return {
    values: Object.fromEntries(ofStack),
    diagnostics: [...diagnostics, ...checked.flatMap((one) => one.diagnostics)],
  };
}

const value = (text: string) => ({ kind: "value", text }) as const;

describe("the source of a value", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "variables-"));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });
  const file = (name: string, content: string): string => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };

  test("is, from weakest to strongest: default, environment, files in order, command line in order", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const variable = Object.fromEntries(names.map((name) => [name, { default: "default" }]));
    const over = (count: number, text: string) =>
      JSON.stringify(Object.fromEntries(names.slice(count).map((name) => [name, text])));
    const environment = Object.fromEntries(
      names.slice(1).map((name) => [`TF_VAR_${name}`, "environment"]),
    );
    file("terraform.tfvars.json", over(2, "tfvars"));
    file("b.auto.tfvars.json", over(4, "b.auto"));
    file("a.auto.tfvars.json", over(3, "a.auto"));
    file("ignored.tfvars.json", over(0, "ignored"));
    const given = [
      value("f=flag"),
      value("g=flag"),
      { kind: "file", file: file("given.json", over(6, "given")) } as const,
    ];
    const { values, diagnostics } = await resolve(variable, {
      environment,
      directories: [directory],
      given,
    });
    expect(diagnostics).toEqual([]);
    expect(values).toEqual({
      a: "default",
      b: "environment",
      c: "tfvars",
      d: "a.auto",
      e: "b.auto",
      f: "flag",
      g: "given",
    });
  });

  test("is a file in the folder of its stack, unless the project has another one", async () => {
    const project = mkdtempSync(join(tmpdir(), "project-"));
    file("terraform.tfvars", 'a = "stack"\nb = "stack"\nextra = 1\n');
    file("x.auto.tfvars.json", '{"c": "stack"}');
    writeFileSync(join(project, "terraform.tfvars"), 'b = "project"');
    const inputs = {
      environment: { TF_VAR_a: "environment", TF_VAR_d: "environment" },
      directories: [project],
    };
    const { values, diagnostics } = await resolve(
      { a: {}, b: {}, c: {}, d: {} },
      inputs,
      directory,
    );
    expect(values).toEqual({ a: "stack", b: "project", c: "stack", d: "environment" });
    expect(diagnostics).toMatchObject([
      { severity: "warning", summary: "Value for undeclared variable", address: "var.extra" },
    ]);
    rmSync(project, { recursive: true });
  });

  test("may be an HCL file", async () => {
    file("terraform.tfvars", 'n = 1 + 1\ns = "a $${b}"\nl = ["x"]\n');
    const variable = { n: { type: "number" }, s: {}, l: { type: "set(string)" } };
    const { values, diagnostics } = await resolve(variable, { directories: [directory] });
    expect(diagnostics).toEqual([]);
    expect(values).toEqual({ n: 2, s: "a ${b}", l: ["x"] });
    expect(typeOf(values.l ?? null)).toEqual({ kind: "set", element: STRING });
  });

  test("has all digits of a number in an HCL file", async () => {
    const numbers = ["0.12345678901234567890", "123456789012345678901", "1e400", "-1.5"];
    file("terraform.tfvars", `\ufeff# "Numbers" {\nn = [${numbers.join(", ")}]\n`);
    const { values, diagnostics } = await resolve({ n: {} }, { directories: [directory] });
    expect(diagnostics).toEqual([]);
    expect(values.n).toEqual(numbers.map((digits) => parseNumber(digits)));
  });

  test.each([
    ["x.tfvars", "a = 1\na = 2\n", /x\.tfvars, line 2: "a" is set twice\. Remove one of the two/],
    ["x.tfvars", "a = = 1\n", /x\.tfvars, line 1: the file is not valid HCL/],
    ["x.tfvars", "a {}\n", /x\.tfvars: blocks are not allowed/],
    ["x.tfvars", 'a = 1\nb "c" {\n  d = 1\n}\n', /x\.tfvars: blocks are not allowed/],
    ["x.json", '{"a": }', /x\.json, line 1, column 7/],
    ["x.json", "[]", /must hold an object/],
  ])("says what is wrong with %s: %j", async (name, content, detail) => {
    const given = [{ kind: "file", file: file(name, content) } as const];
    const { diagnostics } = await resolve({}, { given });
    expect(diagnostics.map((d) => d.detail)).toEqual([expect.stringMatching(detail)]);
  });

  test("reports a missing file, and a --var without a value", async () => {
    const given = [{ kind: "file", file: join(directory, "none.json") } as const, value("x")];
    const { diagnostics } = await resolve({}, { given });
    expect(diagnostics.map(({ summary }) => summary)).toEqual([
      "No variable file",
      "Invalid --var option",
    ]);
  });
});

describe("a secret from the environment", () => {
  const secret = { type: "string", sensitive: true, ephemeral: true };
  const marked = (text: string) => mark(text, { sensitive: true, ephemeral: true });

  test("is found by its plain name, and TF_VAR_ takes precedence", async () => {
    const plain = await resolve({ PW: secret }, { environment: { PW: "plain" } });
    expect(plain.values).toEqual({ PW: marked("plain") });
    const both = await resolve({ PW: secret }, { environment: { PW: "plain", TF_VAR_PW: "tf" } });
    expect(both.values).toEqual({ PW: marked("tf") });
  });

  test("is read by its plain name for a variable that needs a value, not in place of a default", async () => {
    const { values, diagnostics } = await resolve(
      { needed: { type: "string" }, PATH: { default: "kept" } },
      { environment: { needed: "found", PATH: "x" } },
    );
    expect([values, diagnostics]).toEqual([{ needed: "found", PATH: "kept" }, []]);
  });

  test("is in no diagnostic", async () => {
    const variable = {
      PW: { ...secret, type: "list(number)" },
      PX: { ...secret, type: "number" },
      PY: {
        ...secret,
        validation: [{ condition: "${var.PY != var.PY}", error_message: "not ${var.PY}" }],
      },
    };
    const environment = { PW: "s3cret[", PX: "s3cret", PY: "s3cret" };
    const { diagnostics } = await resolve(variable, { environment });
    expect(diagnostics).toHaveLength(3);
    expect(JSON.stringify(diagnostics)).not.toContain("s3cret");
  });
});

describe("values and types", () => {
  test.each([
    ["string", "007", "007"],
    ["number", "007", 7],
    ["bool", "true", true],
    [undefined, "[1]", "[1]"],
    ["any", "[1]", [1]],
    ["any", "{a=1}", { a: 1 }],
    ["any", '"s"', "s"],
    ["any", "1 + 1", 2],
    ["list(string)", '["a", 1]', ["a", "1"]],
    ["list(string)", '[ "a", "${1 + 1}", ]', ["a", "2"]],
    ["map(number)", '{ a = 1, "b" : "2" }', { a: 1, b: 2 }],
    ['object({a=optional(string, "d")})', "{}", { a: "d" }],
  ])("%s of %j", async (type: string | undefined, text, expected) => {
    const { values, diagnostics } = await resolve(
      { x: { ...(type !== undefined && { type }) } },
      { environment: { TF_VAR_x: text } },
    );
    expect(diagnostics).toEqual([]);
    expect(values.x).toEqual(expected);
  });

  test.each([
    ["any", "s"],
    ["any", ""],
    ["any", "upper(1)"],
    ["list(string)", '["a", upper("b")]'],
  ])("%s refuses %j", async (type, text) => {
    const { diagnostics } = await resolve({ x: { type } }, { given: [value(`x=${text}`)] });
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["Invalid value for input variable"]);
  });

  test("uses the default for null if a variable is not nullable", async () => {
    const variable = {
      a: { type: "list(string)", default: ["d"], nullable: false },
      b: { type: "list(string)", default: ["d"] },
      c: { type: "list(string)", nullable: false },
    };
    const given = ["a", "b", "c"].map((name) => value(`${name}=null`));
    const { values, diagnostics } = await resolve(variable, { given });
    expect(values).toEqual({ a: ["d"], b: nullOf({ kind: "list", element: STRING }), c: UNKNOWN });
    expect(diagnostics.map(({ address }) => address)).toEqual(["var.c"]);
  });

  test("reports all missing and invalid values together", async () => {
    const variable = {
      a: {},
      PW: { sensitive: true, ephemeral: true },
      n: { type: "list(object({a=number}))" },
    };
    const { diagnostics } = await resolve(variable, { given: [value('n=[{"a": "x"}]')] });
    expect(diagnostics.map(({ address, detail, path }) => [address, path, detail])).toEqual([
      [
        "var.a",
        undefined,
        "The variable \"a\" is not set and has no default. Set TF_VAR_a or a in the environment, or give --var 'a=…' or a --var-file.",
      ],
      [
        "var.PW",
        undefined,
        'The variable "PW" is not set and has no default. Set TF_VAR_PW or PW in the environment, or give a --var-file.',
      ],
      ["var.n", [0, "a"], "The value given by --var is not suitable for var.n: number required."],
    ]);
  });

  test("refuses undeclared values of the command line, with a suggestion", async () => {
    const { diagnostics } = await resolve({ names: { default: 1 } }, { given: [value("name=x")] });
    expect(diagnostics).toEqual([
      expect.objectContaining({
        severity: "error",
        summary: "Value for undeclared variable",
        detail: expect.stringContaining('Did you mean "names"?') as string,
      }),
    ]);
  });
});

describe("validation", () => {
  const variable = {
    names: {
      type: "list(string)",
      validation: {
        condition: "${length(var.names) <= var.most}",
        error_message: "At most ${var.most} names.",
      },
    },
    most: { type: "number", default: 2 },
  };

  test("passes or fails with the message of the block", async () => {
    expect((await resolve(variable, { given: [value('names=["a"]')] })).diagnostics).toEqual([]);
    const { diagnostics } = await resolve(variable, { given: [value('names=["a", "b", "c"]')] });
    expect(diagnostics).toEqual([
      {
        severity: "error",
        summary: "Invalid value for variable",
        detail:
          "At most 2 names.\n\nThis was checked by the validation rule at variable.names.validation[0].",
        address: "var.names",
      },
    ]);
  });
});
