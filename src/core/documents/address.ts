import { memberOf } from "../member-of";
import { compareStrings } from "../values";
import type { InstanceKey, ResourceMode } from "./state";

/** `[module.PATH.][data.]TYPE.NAME` */
export interface ResourceAddress {
  /** The module path: `module.tenant["a"].module.inner`. Absent in the root module. */
  readonly module?: string | undefined;
  readonly mode: ResourceMode;
  readonly type: string;
  readonly name: string;
}

/** A resource's address, with an instance key if the resource has any. */
export interface InstanceAddress extends ResourceAddress {
  readonly key?: InstanceKey | undefined;
}

export function sameResource(a: ResourceAddress, b: ResourceAddress): boolean {
  return a.name === b.name && a.type === b.type && a.mode === b.mode && a.module === b.module;
}

export function formatResourceAddress({ module, mode, type, name }: ResourceAddress): string {
  return `${module === undefined ? "" : `${module}.`}${mode === "data" ? "data." : ""}${type}.${name}`;
}

export function formatAddress(address: InstanceAddress): string {
  return formatResourceAddress(address) + formatKey(address.key);
}

/** Formats a provider as state files name it: `provider["registry.terraform.io/hashicorp/null"].alias`. */
export function formatProvider(address: string, alias?: string): string {
  return `provider["${address}"]${alias === undefined ? "" : `.${alias}`}`;
}

/** Parses what `formatProvider` writes; undefined for the provider of a module. */
export function parseProvider(text: string): { address: string; alias?: string } | undefined {
  const [, address, alias] = /^provider\["([^"]+)"\](?:\.([\w-]+))?$/.exec(text) ?? [];
  if (address === undefined) return undefined;
  return { address, ...(alias !== undefined && { alias }) };
}

/** Parses the address of a resource or an instance; undefined if it is not one. */
export function parseAddress(text: string): InstanceAddress | undefined {
  const steps = parseSteps(text);
  if (!steps) return undefined;

  let position = 0;
  const modules: string[] = [];
  while (steps[position]?.name === "module") {
    const called = steps[position + 1];
    if (!called || steps[position]?.key !== undefined) return undefined;
    modules.push(`module.${called.name}${formatKey(called.key)}`);
    position += 2;
  }
  const mode = steps[position]?.name === "data" ? "data" : "managed";
  if (mode === "data" && steps[position++]?.key !== undefined) return undefined;

  const [type, name, ...rest] = steps.slice(position);
  if (!type || !name || rest.length > 0 || type.key !== undefined) return undefined;
  return {
    module: modules.length > 0 ? modules.join(".") : undefined,
    mode,
    type: type.name,
    name: name.name,
    key: name.key,
  };
}

/** Returns a module path, `module.a.module.b["k"]`, unchanged; undefined if it is not one. */
export function parseModulePath(text: string): string | undefined {
  const steps = parseSteps(text);
  const isPath =
    steps !== undefined &&
    steps.length % 2 === 0 &&
    steps.every((step, position) =>
      position % 2 === 0 ? step.name === "module" && step.key === undefined : true,
    );
  return isPath ? text : undefined;
}

/** Reports whether a module is `outer` or inside it. A step without a key matches all instances. */
export function isInModule(module: string | undefined, outer: string): boolean {
  const inner = moduleSteps(module ?? "");
  const steps = moduleSteps(outer);
  return (
    steps.length <= inner.length &&
    steps.every(
      ({ name, key }, position) =>
        name === inner[position]?.name && (key === undefined || key === inner[position].key),
    )
  );
}

/** Compares in Terraform's order: the root module first, data before managed, then by key. */
export function compareAddresses(a: InstanceAddress, b: InstanceAddress): number {
  return (
    compareModules(a.module, b.module) ||
    compareStrings(a.mode, b.mode) ||
    compareStrings(a.type, b.type) ||
    compareStrings(a.name, b.name) ||
    compareKeys(a.key, b.key)
  );
}

/** Compares instance keys: none first, numbers before strings. */
export function compareKeys(a: InstanceKey | undefined, b: InstanceKey | undefined): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
  return rank(a) - rank(b);
}

function rank(key: InstanceKey | undefined): number {
  return key === undefined ? 0 : typeof key === "number" ? 1 : 2;
}

function compareModules(a = "", b = ""): number {
  if (a === b) return 0;
  const left = moduleSteps(a);
  const right = moduleSteps(b);
  if (left.length !== right.length) return left.length - right.length;
  for (const [position, step] of left.entries()) {
    const other = right[position];
    const order = compareStrings(step.name, other?.name ?? "") || compareKeys(step.key, other?.key);
    if (order !== 0) return order;
  }
  return 0;
}

function moduleSteps(module: string): readonly Step[] {
  return (parseSteps(module) ?? []).filter((_, position) => position % 2 === 1);
}

interface Step {
  readonly name: string;
  readonly key: InstanceKey | undefined;
}

const NAME = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const KEY = /\[(?:(\d+)|"((?:[^"\\]|\\.)*)")\]/uy;

/** Parses `a.b["c"].d[0]` into names with their keys. */
function parseSteps(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  for (;;) {
    const name = match(NAME)?.[0];
    if (name === undefined) return undefined;
    const key = match(KEY);
    const [, index, quoted] = key ?? [];
    const label = quoted === undefined ? undefined : unquote(quoted);
    if (quoted !== undefined && label === undefined) return undefined;
    steps.push({ name, key: index === undefined ? label : Number(index) });
    if (at === text.length) return steps;
    if (text[at++] !== ".") return undefined;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
};
const ESCAPED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ESCAPES).map(([plain, escape]) => [escape.slice(1), plain]),
);
const ESCAPE =
  /\\(?:u([0-9a-fA-F]{4})|U(00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})|([nrt"\\]))|([$%])\4(?=\{)/gu;

function formatKey(key: InstanceKey | undefined): string {
  if (key === undefined) return "";
  return typeof key === "number" ? `[${key}]` : `["${quote(key)}"]`;
}

/** Escapes text for a quoted HCL string: unprintable characters, `${` and `%{`. */
function quote(text: string): string {
  return text
    .replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (character) => {
      const hex = (character.codePointAt(0) ?? 0).toString(16);
      const code = hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
      return memberOf(ESCAPES, character) ?? code;
    })
    .replace(/[$%](?=\{)/g, "$&$&");
}

/** Unescapes a quoted HCL string; undefined for templates and unknown escapes. */
function unquote(text: string): string | undefined {
  if (/\\|[$%]\{/.test(text.replace(ESCAPE, " "))) return undefined;
  return text.replace(
    ESCAPE,
    (_, ...[short, long, letter, sign]: (string | undefined)[]) =>
      sign ??
      (letter === undefined
        ? String.fromCodePoint(Number.parseInt(short ?? long ?? "", 16))
        : (memberOf(ESCAPED, letter) ?? letter)),
  );
}
