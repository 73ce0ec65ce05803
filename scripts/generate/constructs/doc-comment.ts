import { constraintsOf } from "./constraints";
import { inPropNames, propName } from "../../../src/constructs/naming";
import type { Attribute, Attributes, Kind } from "../../../src/core/schema/attribute";
import type { KnownValue } from "../../../src/core/values";

const WIDTH = 96;

/** Returns a doc comment of paragraphs, without empty ones. */
export function comment(paragraphs: readonly string[]): string {
  const lines = paragraphs
    .filter((paragraph) => paragraph !== "")
    .flatMap((paragraph, index) => [...(index > 0 ? [""] : []), ...wrap(paragraph)]);
  if (lines.length === 1) return `/** ${lines.join("")} */`;
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

/** Returns the doc comment of a prop. `all` has every attribute of the construct, for their names. */
export function propComment(attribute: Attribute, all: Attributes): string {
  const rules = [
    ...allConstraints(attribute.type),
    attribute.requiresReplace ? "A change replaces the object." : "",
    attribute.writeOnly ? "Write-only: stored in no plan and no state." : "",
    attribute.writeOnly || attribute.sensitive
      ? "Accepts a {@link Secret} or a token; a literal string is an error."
      : "",
  ].filter((sentence) => sentence !== "");
  return comment([
    inPropNames(all, attribute.description),
    rules.join(" "),
    attribute.default === undefined
      ? ""
      : `@default ${defaultText(attribute.type, attribute.default)}`,
  ]);
}

/** Returns JSON with the names of props. */
function defaultText({ kind }: Kind, value: KnownValue): string {
  const isObject = kind === "object" && typeof value === "object" && !Array.isArray(value);
  if (!isObject || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => [propName(name), member] as const);
  return JSON.stringify(Object.fromEntries(members));
}

function allConstraints(kind: Kind): string[] {
  const own = constraintsOf(kind).sentences;
  if (!("element" in kind)) return [...own];
  return [...own, ...constraintsOf(kind.element).sentences.map((text) => `Each: ${text}`)];
}

function wrap(paragraph: string): string[] {
  if (paragraph.startsWith("@")) return paragraph.split("\n");
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(" ")) {
    if (line !== "" && line.length + word.length >= WIDTH) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
