import { join } from "node:path";
import { computed, optional, string } from "../../../src/core/schema/attribute";
import { mark, unmark } from "../../../src/core/marks";
import { Marked, type Evaluated } from "../../../src/core/values";
import { NOT_NULL, unknownOf } from "../../../src/language/expressions/ranges";
import type { EvaluationScope } from "../../../src/language/expressions/scope";
import { STRING } from "../../../src/core/types";
import { resourceProblem } from "../../../src/runtime/validation/check-references";

/** Declares the names that expressions of the table refer to. `x` is created by the plan. */
export const CONFIGURATION = `
resource "terraform_data" "x" {
  input = "a"
}
locals {
  m = { a = 1, b = 2 }
  template = "hello $\${name}%%{ if loud }!%%{ endif }"
  secret = sensitive("hi $\${name}")
  one = "$\${name}"
  loop = "a %%{ for x in name ~}\\n  b $\${x}\\n%%{ endfor ~}\\n"
  call = "$\${upper(name)} $\${length(list)} $\${replace(name, \\"/x/\\", \\"y\\")}"
  path = "$\${path.module}"
  itself = "$\${templatestring(t, {})}"
  unclosed = "$\${"
  endless = "%%{ if x }"
  unknown_function = "$\${nope(1)}"
}
`;

/** The folder with the files that expressions read. */
export const FILES = join(__dirname, "files");

/** The values of the same names for the executor. */
export const NAMES: Readonly<Record<string, Evaluated>> = {
  "terraform_data.x": {
    id: unknownOf(STRING, NOT_NULL),
    input: "a",
    output: unknownOf(STRING),
    triggers_replace: null,
  },
  "local.m": { a: 1, b: 2 },
  "local.template": "hello ${name}%{ if loud }!%{ endif }",
  "local.secret": mark("hi ${name}", { sensitive: true }),
  "local.one": "${name}",
  "local.loop": "a %{ for x in name ~}\n  b ${x}\n%{ endfor ~}\n",
  "local.call": '${upper(name)} ${length(list)} ${replace(name, "/x/", "y")}',
  "local.path": "${path.module}",
  "local.itself": "${templatestring(t, {})}",
  "local.unclosed": "${",
  "local.endless": "%{ if x }",
  "local.unknown_function": "${nope(1)}",
};

const text = optional(string(), "Of any type in Terraform.");
const ATTRIBUTES = {
  id: computed(string(), "An ID."),
  input: text,
  output: text,
  triggers_replace: text,
};
const DYNAMIC: ReadonlySet<unknown> = new Set(["input", "output", "triggers_replace"]);

/** Checks references to the resource, as in a stack. Dynamic attributes have no static type. */
export const problemOf: EvaluationScope["problemOf"] = ({ path, ...reference }) =>
  resourceProblem(
    { ...reference, path: DYNAMIC.has(path[0]) ? path.slice(0, 1) : path },
    {
      config: {
        resources: new Map([["terraform_data.x", {}]]),
        dataSources: new Map(),
        ephemerals: new Map(),
      },
      attributesOf: () => ATTRIBUTES,
    },
  );

const escaped = (text: string): string =>
  text.replace(/[$%]\{/g, (start) => start.charAt(0) + start);

/** `CONFIGURATION` as JSON. */
export const CONFIGURATION_JSON = {
  resource: { terraform_data: { x: { input: "a" } } },
  locals: Object.fromEntries(
    Object.entries(NAMES)
      .filter(([name]) => name.startsWith("local."))
      .map(([name, evaluated]) => {
        const { value } = unmark(evaluated);
        const plain = typeof value === "string" ? escaped(value) : value;
        const isSecret = evaluated instanceof Marked;
        const text = `\${sensitive(${JSON.stringify(plain)})}`;
        return [name.slice("local.".length), isSecret ? text : plain];
      }),
  ),
};
