import type { KnownValue } from "../../provider/values";
import { formatNumber } from "../../runtime/state/format-json";
import { compareUntyped } from "../difference/compare";
import type { Difference, Effect, Scalar } from "../difference/difference";
import { printableLines, quote } from "./quote";
import {
  arrow,
  indentation,
  nullNote,
  replacementNote,
  symbol,
  type RenderOptions,
} from "./render-options";
import { pairElements } from "../difference/sequence";

interface Primitives {
  readonly before: Scalar | undefined;
  readonly after: Scalar | undefined;
}

/** Renders the JSON in a string; the caller passes it, because it renders primitives with this. */
type Render = (difference: Difference, level: number, options: RenderOptions) => string;

export function renderPrimitive(
  difference: Difference,
  { before, after }: Primitives,
  level: number,
  options: RenderOptions,
  render: Render,
): string {
  const json = renderJson(difference, { before, after }, level, options, render);
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

function literal(value: Scalar | undefined, { style }: RenderOptions): string {
  if (value === null || value === undefined) return style.dim("null");
  if (typeof value === "string") return quote(value);
  if (typeof value === "number") return formatNumber(value);
  return typeof value === "object" ? value.value : String(value);
}

function isMultiline(value: Scalar | undefined): value is string {
  return typeof value === "string" && value.includes("\n");
}

function linesOf(value: Scalar | undefined): string[] {
  return typeof value === "string" ? printableLines(value.trim()).split("\n") : ["null"];
}

type Line = readonly [symbol: string, text: string];

function changedLines(
  before: Scalar | undefined,
  after: Scalar | undefined,
  options: RenderOptions,
): Line[] {
  const [from, to] = [linesOf(before), linesOf(after)];
  const equal = (a: string, b: string) => a === b;
  return pairElements(from, to, { equal }).flatMap(([b, a]) => {
    const left = b === undefined ? undefined : from[b];
    const right = a === undefined ? undefined : to[a];
    const line = (effect: Effect, text: string | undefined): Line[] =>
      text === undefined ? [] : [[symbol(effect, options), text]];
    if (left === right) return line("none", left);
    return [...line("delete", left), ...line("create", right)];
  });
}

function heredoc(
  difference: Difference,
  lines: readonly Line[],
  level: number,
  options: RenderOptions,
): string {
  const margin = indentation(level + 1);
  return [
    `<<-EOT${replacementNote(difference, options)}`,
    ...lines.map(([mark, text]) => `${margin}${mark}${text}`),
    `${indentation(level)}${symbol("none", options)}EOT${nullNote(difference, options)}`,
  ].join("\n");
}

/** Undefined where neither side is JSON. */
function renderJson(
  difference: Difference,
  { before, after }: Primitives,
  level: number,
  options: RenderOptions,
  render: Render,
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
    return render({ ...difference, content: { kind: "type-change", ...sides } }, level, options);
  }
  const inner = compareUntyped(left, right);
  const onlySpace = effect === "update" && inner.effect === "none";
  const body = render(inner, level + 1, {
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
