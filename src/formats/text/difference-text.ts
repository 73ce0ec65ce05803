import { compareStrings, type KnownValue } from "../../core/values";
import type { Content, Difference, Effect, Scalar } from "../difference/difference";
import { attributeName, Printed, quote, rendered } from "../../core/printed";
import {
  arrow,
  hiddenNote,
  indentation,
  nullNote,
  replacementNote,
  symbol,
  type RenderOptions,
} from "./render-options";
import { changedLines, heredoc, isMultiline, linesOf } from "./multiline-text";
import { formatNumber } from "../../core/json/format-number";
import { compareUntyped } from "../difference/compare";

type Of<K extends Content["kind"]> = Extract<Content, { kind: K }>;

/** Attributes that are always shown, because they identify the object. */
const IDENTIFYING = new Set(["id", "name", "tags"]);

/** Renders a difference in Terraform's layout. `level` is the indentation of its line. */
export function renderDifference(
  difference: Difference,
  level: number,
  options: RenderOptions,
): string {
  const { content } = difference;
  const notes = () => nullNote(difference, options) + replacementNote(difference, options);
  switch (content.kind) {
    case "primitive":
      return renderPrimitive(difference, content, level, options);
    case "object":
      return renderMembers(difference, level, options, {
        members: content.members,
        label: attributeName,
        noun: "attribute",
        nullSuffix: content.declared,
        alwaysShown: IDENTIFYING,
      });
    case "map":
      return renderMembers(difference, level, options, {
        members: content.elements,
        label: quote,
        noun: "element",
        nullSuffix: difference.effect !== "delete",
        alwaysShown: new Set(),
      });
    case "list":
      return renderList(difference, content, level, options);
    case "sensitive":
      return `(sensitive value)${notes()}`;
    case "entries":
      return enclose({ ...difference, effect: "none" }, level, options, {
        brackets: "[]",
        lines: content.lines.map((text) => indentation(level + 1) + text.toString()),
      });
    case "write-only":
      return `(write-only attribute)${notes()}`;
    case "unknown": {
      const planned = `(known after apply)${replacementNote(difference, options)}`;
      if (difference.effect === "create" || content.before === undefined) return planned;
      const before = renderDifference(content.before, level, { ...options, nullSuffix: false });
      return `${before} -> ${planned}`;
    }
    case "type-change": {
      const inner = { ...options, nullSuffix: false };
      const before = renderDifference(content.before, level, inner);
      return `${before} ${arrow(options)} ${renderDifference(content.after, level, inner)}`;
    }
  }
}

/** Renders a difference inside a sentence: its last line is aligned with its first. */
export function inlineDifference(difference: Difference, options: RenderOptions): Printed {
  const text = renderDifference(difference, 0, options);
  return Printed.of(rendered(text.replaceAll("\n    ", "\n")));
}

/** Members that have names, and their layout. */
interface NamedMembers {
  readonly members: ReadonlyMap<string, Difference>;
  readonly label: (name: string) => string;
  readonly noun: "attribute" | "element";
  readonly nullSuffix: boolean;
  readonly alwaysShown: ReadonlySet<string>;
}

function renderMembers(
  difference: Difference,
  level: number,
  options: RenderOptions,
  { members, label, noun, nullSuffix, alwaysShown }: NamedMembers,
): string {
  const width = Math.max(0, ...[...members.keys()].map((name) => Buffer.byteLength(label(name))));
  const shown = [...members].filter(
    ([name, { effect }]) => effect !== "none" || options.unchanged || alwaysShown.has(name),
  );
  const lines = shown
    .sort(([a], [b]) => compareStrings(a, b))
    .flatMap(([name, member]) => {
      const unchanged = options.unchanged || alwaysShown.has(name);
      const inner = { ...options, nullSuffix, unchanged };
      const value = renderDifference(member, level + 1, inner);
      // Terraform writes a comma after the objects of a map, and after no other member.
      const comma = noun === "element" && member.content.kind === "object" ? "," : "";
      return [
        ...warnings(member, level + 1, options),
        line(level + 1, member, `${padded(label(name), width)} = ${value}${comma}`, inner),
      ];
    });
  return enclose(difference, level, options, {
    brackets: "{}",
    lines: [...lines, ...hiddenLine(members.size - shown.length, noun, level, options)],
  });
}

/** With `context`, the elements before and after a change are shown, because order matters. */
function renderList(
  difference: Difference,
  { elements, context }: Of<"list">,
  level: number,
  options: RenderOptions,
): string {
  const inner = { ...options, nullSuffix: false };
  const whole = { ...options, unchanged: true };
  const lines: string[] = [];
  let hidden: Difference[] = [];
  let previousChanged = false;
  for (const element of elements) {
    const changes = element.effect !== "none";
    if (!changes && !previousChanged && !options.unchanged) {
      hidden.push(element);
      continue;
    }
    const last = hidden.at(-1);
    if (context && last) {
      lines.push(...hiddenLine(hidden.length - 1, "element", level, inner));
      lines.push(...elementLines(last, level, whole));
      hidden = [];
    }
    previousChanged = context && changes;
    lines.push(...elementLines(element, level, changes || !context ? inner : whole));
  }
  return enclose(difference, level, options, {
    brackets: "[]",
    lines: [...lines, ...hiddenLine(hidden.length, "element", level, options)],
  });
}

function elementLines(element: Difference, level: number, options: RenderOptions): string[] {
  return [
    ...warnings(element, level + 1, options),
    line(level + 1, element, `${renderDifference(element, level + 1, options)},`, options),
  ];
}

/** The warning of Terraform above a value that becomes sensitive or is no longer sensitive. */
function warnings({ content }: Difference, level: number, options: RenderOptions): string[] {
  if (content.kind !== "sensitive" || content.before === content.after) return [];
  if (content.inner === "create" || content.inner === "delete") return [];
  const unchanged = content.inner === "none" ? " The value is unchanged." : "";
  const margin = `${indentation(level)}  ${options.style.comment("# ")}`;
  const lines = content.after
    ? [
        "this attribute value will be marked as sensitive and will not",
        `display in UI output after applying this change.${unchanged}`,
      ]
    : [
        "this attribute value will no longer be marked as sensitive",
        `after applying this change.${unchanged}`,
      ];
  return [`${margin}${options.style.yellow("Warning")}: ${lines[0]}`, `${margin}${lines[1]}`];
}

function line(level: number, { effect }: Difference, text: string, options: RenderOptions): string {
  return `${indentation(level)}${symbol(effect, options)}${text}`;
}

function hiddenLine(count: number, what: string, level: number, options: RenderOptions): string[] {
  if (count === 0) return [];
  const margin = indentation(level + 1) + symbol("none", options);
  return [`${margin}${hiddenNote(count, what, options)}`];
}

function enclose(
  difference: Difference,
  level: number,
  options: RenderOptions,
  { brackets, lines }: { readonly brackets: "[]" | "{}"; readonly lines: readonly string[] },
): string {
  const [open, close] = brackets;
  const forces = replacementNote(difference, options);
  const isNull = nullNote(difference, options);
  if (lines.length === 0) return `${brackets}${isNull}${forces}`;
  const margin = indentation(level) + symbol("none", options);
  return [`${open}${forces}`, ...lines, `${margin}${close}${isNull}`].join("\n");
}

type Primitives = Pick<Of<"primitive">, "before" | "after">;

function renderPrimitive(
  difference: Difference,
  { before, after }: Primitives,
  level: number,
  options: RenderOptions,
): string {
  const json = renderJson(difference, { before, after }, level, options);
  if (json !== undefined) return json;

  const value = difference.effect === "delete" ? before : after;
  if (difference.effect !== "update") {
    if (isMultiline(value)) {
      const lines = linesOf(value).map((text) => [symbol("none", options), text] as const);
      return heredoc(difference, lines, level, options);
    }
    const isNull = value === null ? "" : nullNote(difference, options);
    return literal(value, options) + isNull + replacementNote(difference, options);
  }
  if (isMultiline(before) || isMultiline(after)) {
    return heredoc(difference, changedLines(before, after, options), level, options);
  }
  const change = `${literal(before, options)} ${arrow(options)} ${literal(after, options)}`;
  return change + replacementNote(difference, options);
}

/** Pads by code points up to a width in bytes, as Go does. */
function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - Array.from(text).length));
}

function literal(value: Scalar | undefined, { style }: RenderOptions): string {
  if (value === null || value === undefined) return style.dim("null");
  if (typeof value === "string") return quote(value);
  // Terraform shows no negative zero.
  return typeof value === "boolean" || value === 0 ? String(value) : formatNumber(value);
}

/** Undefined where neither side is JSON. */
function renderJson(
  difference: Difference,
  { before, after }: Primitives,
  level: number,
  options: RenderOptions,
): string | undefined {
  const { effect } = difference;
  const left = effect === "create" ? undefined : parseJson(before);
  const right = effect === "delete" ? undefined : parseJson(after);
  if (left === undefined && right === undefined) return undefined;
  if (effect === "update" && (left === undefined || right === undefined)) {
    const sides = {
      before: primitive("delete", { before, after: undefined }),
      after: primitive("create", { before: undefined, after }),
    };
    return renderDifference(
      { ...difference, content: { kind: "type-change", ...sides } },
      level,
      options,
    );
  }
  const inner = compareUntyped(left, right);
  const onlySpace = effect === "update" && inner.effect === "none";
  const body = renderDifference(inner, level + 1, {
    ...options,
    nullSuffix: false,
    unchanged: options.unchanged || onlySpace,
  });
  const forces = difference.forcesReplacement;
  const space = forces ? " # whitespace changes force replacement" : " # whitespace changes";
  const head = onlySpace ? space : "";
  const note = onlySpace ? "" : replacementNote(difference, options);
  if (!body.includes("\n")) return `jsonencode(${body})${head}${note}`;
  const mark = symbol(effect === "update" && !onlySpace ? "update" : "none", options);
  return [
    `jsonencode(${head}`,
    `${indentation(level + 1)}${mark}${body}${note}`,
    `${indentation(level)}${symbol("none", options)})${nullNote(difference, options)}`,
  ].join("\n");
}

function primitive(effect: Effect, content: Primitives): Difference {
  return { effect, forcesReplacement: false, content: { kind: "primitive", ...content } };
}

/** Undefined for text other than a JSON object or array, and for numbers that would be rounded. */
function parseJson(text: Scalar | undefined): KnownValue | undefined {
  if (typeof text !== "string" || !/^[{[]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as KnownValue;
    return isExact(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isExact(value: KnownValue): boolean {
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value !== "object" || value === null || Object.values(value).every(isExact);
}
