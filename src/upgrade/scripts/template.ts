import { SnippetBuilder, type Snippet } from "./snippet";

/** Text as a script has it: literal, with holes for what is put in when it runs. */
export type Part = TextPart | HolePart;

export interface TextPart {
  readonly kind: "text";
  readonly text: string;
  readonly offset: number;
}

export interface HolePart {
  readonly kind: "hole";
  /** Of the variable, without what it is a member of; undefined for what is computed. */
  readonly name?: string;
  readonly offset: number;
  /** What stands in where the variable is not set. */
  readonly otherwise?: Template;
}

export type Template = readonly Part[];

/** A hole that a lexer has found; it stands in text as this character. */
export const COMPUTED = "\u0001";

/**
 * How languages write holes. One grammar for all: a path of the API has no brace, percent or
 * dollar of its own, so that nothing is lost by reading those of another language.
 */
const HOLE_PATTERN = new RegExp(
  [
    String.raw`\$\{\{\s*(?<actions>[^{}]*)\}\}`,
    String.raw`\{\{-?\s*(?<jinja>[^{}]*?)-?\}\}`,
    String.raw`[$#]\{(?<braced>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}`,
    String.raw`\$\((?<expression>[^()]*(?:\([^()]*\)[^()]*)*)\)`,
    String.raw`\$(?:env:|script:|global:|env\.|params\.)?(?<plain>[A-Za-z_]\w*|[0-9@*])`,
    String.raw`\{(?<field>(?:[A-Za-z_$@][^{}"\n]*|\d*))\}`,
    String.raw`%\((?<named>\w+)\)[sd]`,
    // Two formats side by side, `%s%s`, are no variable `s`.
    String.raw`%(?<batch>(?![svdq]%[svdq])[A-Za-z_]\w*)%`,
    String.raw`%(?<format>[svdq@])(?![0-9A-Fa-f])`,
    String.raw`<(?<placeholder>[A-Za-z][\w-]*)>`,
    COMPUTED,
  ].join("|"),
  "gs",
);

export function parseTemplate(snippet: Snippet): Template {
  const { text } = snippet;
  const at = (index: number) => snippet.at(index);
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(HOLE_PATTERN)) {
    if (match.index > from) {
      parts.push({ kind: "text", text: text.slice(from, match.index), offset: at(from) });
    }
    parts.push(holeOf(match.groups ?? {}, at(match.index)));
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from), offset: at(from) });
  return parts;
}

function holeOf(groups: Record<string, string | undefined>, offset: number): HolePart {
  const { actions, jinja, braced, expression, plain, field, named, batch } = groups;
  const found = [actions, jinja, braced, expression, plain, field, named, batch];
  const text = found.find((group) => group !== undefined && group !== "");
  if (text === undefined) return { kind: "hole", offset };
  // ${NAME:-https://…} of the shell.
  const [, given, otherwise] = /^(\w+):?[-=](.+)$/s.exec(braced ?? "") ?? [];
  if (given !== undefined && otherwise !== undefined) {
    const fallback = parseTemplate({ text: otherwise.replace(/["']/g, ""), at: () => offset });
    return { kind: "hole", name: given, offset, otherwise: fallback };
  }
  const name = nameOf(text);
  return { kind: "hole", ...(name !== undefined && { name }), offset };
}

const LOOKUP =
  /(?:\bget|getenv|\benv|Variable|fetch)\s*\(\s*["'](\w+)["']|lookup\s*\(\s*["']env["']\s*,\s*["'](\w+)["']/i;
const NAME = /^[\s!($@]*((?:[\w$@-]+|\.|::|->|\?\.|\[\s*["']?[\w$.-]+["']?\s*\])+)\s*(\(?)/;

/** The variable that an expression reads: the last of `self.base_url`, `env.API`, `PATHS["a"]`. */
export function nameOf(expression: string): string | undefined {
  const [, variable, environment] = LOOKUP.exec(expression) ?? [];
  if ((variable ?? environment) !== undefined) return variable ?? environment;
  const [, text, call] = NAME.exec(expression) ?? [];
  if (text === undefined) return undefined;
  const names = text.split(/\.|::|->|\?|\[|\]|["'\s]/).filter((name) => name !== "");
  // A method of the value, such as rstrip("/"), leaves the value much as it is.
  if (call === "(") names.pop();
  // An entry of what a playbook loops over.
  const [item, ...members] = names;
  const [member, ...others] = members.filter((one) => one !== "value");
  if (item === "item" && member !== undefined && others.length === 0) return `item.${member}`;
  return names.at(-1)?.replace(/^[$@]+/, "");
}

export function textPart(text: string, offset: number): TextPart {
  return { kind: "text", text, offset };
}

export function hole(offset: number): Part {
  return { kind: "hole", offset };
}

/** Puts values into holes that name nothing, in their order, and into those that name a key. */
export function fill(
  template: Template,
  values: readonly (Template | undefined)[],
  keyed: ReadonlyMap<string, Template> = new Map(),
): Template {
  let next = 0;
  return template.flatMap((part): Template => {
    if (part.kind === "text") return [part];
    if (part.name !== undefined && /^\d+$/.test(part.name))
      return values[Number(part.name)] ?? [part];
    if (part.name === undefined) return values[next++] ?? [part];
    return keyed.get(part.name) ?? [part];
  });
}

/** With the separator between them; what is not known is a hole. */
export function joinedBy(values: readonly (Template | undefined)[], separator: Template): Template {
  return values.flatMap((value, index): readonly Part[] => {
    const parts = value ?? [hole(0)];
    return index === 0 ? parts : [...separator, ...parts];
  });
}

/** Text with holes as a shell has its variables. */
export function commandsOf(template: Template, end: number): Snippet {
  const builder = new SnippetBuilder();
  for (const part of template) {
    if (part.kind === "text") builder.add(part.text, part.offset);
    else builder.replace(part.name === undefined ? COMPUTED : `\${${part.name}}`, part.offset);
  }
  return builder.build(end);
}
