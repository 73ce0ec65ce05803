import type { StackJson } from "../../cli/stack-files";
import type { Draw } from "../random/draw";

/** An output of another stack. */
export interface Candidate {
  readonly path: string;
  readonly isLate: boolean;
  readonly isList: boolean;
}

/** One version of a stack, to which a form is added. */
export interface Version {
  readonly draw: Draw;
  readonly name: string;
  readonly number: number;
  readonly candidates: readonly Candidate[];
  /** The data sources of states, by the stacks that they read. */
  readonly states: Readonly<Record<string, object>>;
}

/** The additions of a form to a stack and its folder. */
export interface Form {
  readonly data?: Readonly<Record<string, object>>;
  readonly blocks?: StackJson;
  readonly files?: Readonly<Record<string, string>>;
}

/** Adds each form to some stacks. */
export function formsOf(version: Version): readonly Form[] {
  return [moved, imported, variables, check, override].flatMap((form) => form(version) ?? []);
}

/** An object whose name changes in every second version, with the move from the other name. */
function moved({ draw, number }: Version): Form | undefined {
  const isRepeated = draw.chance(0.4);
  if (!draw.chance(0.25)) return undefined;
  const [from, to] = number % 2 === 0 ? ["m1", "m0"] : ["m0", "m1"];
  // The key of a repeated one changes, too.
  const [one, other] = isRepeated
    ? [`["${from}"]`, `["${to}"]`].map((key, index) => `${index === 0 ? from : to}${key}`)
    : [from, to];
  return {
    data: { [to]: { input: "moved", ...(isRepeated && { for_each: `\${toset(["${to}"])}` }) } },
    blocks: { moved: [{ from: `terraform_data.${one}`, to: `terraform_data.${other}` }] },
  };
}

/** An object, or one for each text, whose ID another stack may give. */
function imported({ draw, name, candidates }: Version): Form | undefined {
  const own = `import-${name}`;
  const known = candidates.filter(({ isLate }) => !isLate);
  const [ids, texts] = [true, false].map((isList) => known.filter((one) => one.isList === isList));
  const isRepeated = draw.chance(0.5);
  const list = draw.of([`["${own}", "🙂"]`, ...(ids ?? []).map(({ path }) => path)]);
  const text = draw.of([own, ...(texts ?? []).map(({ path }) => `\${sha1(jsonencode(${path}))}`)]);
  if (!draw.chance(0.25)) return undefined;
  if (!isRepeated) {
    const block = { to: "terraform_data.i", id: text };
    return { data: { i: { input: "imported" } }, blocks: { import: [block] } };
  }
  const repetition = { for_each: `\${toset(${list})}` };
  const block = { ...repetition, to: "terraform_data.i[each.key]", id: "${sha1(each.value)}" };
  return {
    data: { i: { ...repetition, input: "${each.key}" } },
    blocks: { import: [block] },
  };
}

const TYPES: readonly (readonly [type: string, values: readonly unknown[]])[] = [
  ["string", ["x", "é 🙂", "$${x}", 1.5, true]],
  ["number", [1, "2", 0.1, 12345678901234]],
  ["list(string)", [["a", 1], []]],
  ["map(string)", [{ a: "b", "🙂": "c", "d e": true }]],
  ["any", [null, { a: [1, { "🙂": null }] }, ["x", 1]]],
  ["object({a = string, n = optional(number, 3)})", [{ a: "x", more: 1 }]],
];

const FILES = ["terraform.tfvars", "terraform.tfvars.json", "a.auto.tfvars", "b.auto.tfvars.json"];

/** A variable that files of the stack's folder set, the last of which counts. */
function variables({ draw, number }: Version): Form | undefined {
  const [type, values] = draw.of(TYPES);
  const chosen = draw.some(FILES, 0, 3);
  const contents = chosen.map((file): [string, string] => {
    const drawn = draw.of(values);
    const value = number % 2 === 0 ? values[0] : drawn;
    const isJson = file.endsWith(".json");
    return [file, isJson ? JSON.stringify({ v: value }) : `v = ${JSON.stringify(value)}\n`];
  });
  if (!draw.chance(0.35)) return undefined;
  return {
    data: { v: { input: "${var.v}" } },
    blocks: { variable: { v: { type, default: values[0] } } },
    files: Object.fromEntries(contents),
  };
}

/** Assertions about outputs of other stacks, which may fail; the check may read a state itself. */
function check({ draw, candidates, states }: Version): Form | undefined {
  const all = candidates.map(({ path }) => path);
  const path = all.length === 0 ? "terraform.workspace" : draw.of(all);
  const isRead = draw.chance(0.3);
  const value = draw.of(["v1", "default", "never"]);
  if (!draw.chance(0.35)) return undefined;
  const assert = [
    { condition: `\${jsonencode(${path}) != jsonencode("${value}")}`, error_message: "A check." },
  ];
  const [first] = Object.values(states);
  if (!isRead || !first) return { blocks: { check: { c: { assert } } } };
  const own = `length(data.terraform_remote_state.own.outputs)`;
  const count = { condition: `\${${own} == 2}`, error_message: `It has \${${own}}.` };
  const data = { terraform_remote_state: { own: first } };
  return { blocks: { check: { c: { data, assert: [...assert, count] } } } };
}

/** A file that Terraform merges into the configuration: the executor refuses it. */
function override({ draw, number }: Version): Form | undefined {
  if (!draw.chance(0.04) || number % 2 !== 0) return undefined;
  const resource = { terraform_data: { d0: { input: "overridden" } } };
  return { files: { "override.tf.json": JSON.stringify({ resource }) } };
}
