/**
 * Text that is printed. Text from outside (a console, a state, a file, a variable, another
 * program) must control neither the terminal nor a CI system, which executes lines such as
 * `::error::x`. So a string is one line without control characters wherever it is printed, and only
 * the functions of this file make text of several lines.
 */

declare const PRINTABLE: unique symbol;

/** A string that was escaped. Only this file makes one. */
export type Printable = string & { readonly [PRINTABLE]: true };

/** Escaped text, which may have line breaks, indentation and colour. */
export class Printed {
  private constructor(private readonly text: Printable) {}

  /** Escapes a string for one line. */
  static line(text: string | Printed): Printed {
    return typeof text === "string" ? new Printed(printable(text)) : text;
  }

  /** Takes a string that was escaped before, such as the detail of a diagnostic. */
  static of(text: Printable): Printed {
    return new Printed(text);
  }

  get lines(): readonly Printed[] {
    return this.text.split("\n").map((line) => new Printed(trusted(line)));
  }

  get isEmpty(): boolean {
    return this.text === "";
  }

  /** Puts constant text around each line. */
  styled(style: (text: string) => string): Printed {
    return new Printed(trusted(style(this.text)));
  }

  toString(): Printable {
    return this.text;
  }
}

/** A part of printed text. */
export type Part = string | number | Printed;

/** Makes printed text of a template: its strings are one line each, and its own line breaks stay. */
export function printed(template: TemplateStringsArray, ...parts: readonly Part[]): Printed {
  return Printed.of(
    trusted(template.map((own, index) => own + shown(parts[index] ?? "")).join("")),
  );
}

/** Joins printed text. A separator is constant. */
export function joined(
  parts: readonly Part[],
  separator: "" | " " | ", " | "\n" | "\n\n",
): Printed {
  return Printed.of(trusted(parts.map(shown).join(separator)));
}

/** Shows the rest of a line of another program. */
export function restOfLine(text: string): Printed {
  const [line = "", ...end] = text.split(/\r?\n/);
  return joined([printed`${line.replaceAll("\t", TAB)}`, ...end], "\n");
}

/** Shows the lines of a text from outside, such as the output of a program, as a block. */
export function block(text: string): Printed {
  return joined(
    text.split(/\r?\n/).map((line) => printed`  | ${line.replaceAll("\t", TAB)}`),
    "\n",
  );
}

/**
 * Shows the paragraphs of an author who writes diagnostics, such as Terraform. A line that a CI system
 * takes for a command is marked as in a block.
 */
export function prose(text: string): Printed {
  return joined(
    text
      .split(/\r?\n/)
      .map((line) => line.replaceAll("\t", TAB))
      .map((line) => (/^\s*(::|##)/.test(line) ? printed`| ${line}` : line)),
    "\n",
  );
}

/** Escapes a text for one line without quotes. */
export function printable(text: string): Printable {
  return trusted(text.replace(UNPRINTABLE, escape));
}

/** Formats a string literal as Terraform does: `"a\tb"`. */
export function quote(text: string): Printable {
  return trusted(`"${text.replace(/["\\]/g, "\\$&").replace(UNPRINTABLE, escape)}"`);
}

/** Escapes a text whose line breaks and tabs stay, as in the heredocs of Terraform's plans. */
export function printableLines(text: string): Printable {
  return trusted(
    text.replace(UNPRINTABLE, (character) =>
      character === "\n" || character === "\t" ? character : escape(character),
    ),
  );
}

/**
 * Takes text of several lines that a renderer composed of escaped parts: line breaks, tabs and colours
 * stay, and other control characters are escaped.
 */
export function rendered(text: string): Printable {
  return trusted(
    text.replace(COLOUR_OR_UNPRINTABLE, (found) =>
      found === "\n" || found === "\t" || found.length > 2 ? found : escape(found),
    ),
  );
}

/** Marks the lines that a CI system takes for commands. A line that is wrapped may begin with any word. */
export function inert(text: Printed | Printable): Printable {
  return trusted(text.toString().replace(/^[ \t]*(?=::|##(?:vso)?\[)/gm, "$&| "));
}

/** Takes a document for people, such as HTML: no line of it is taken for a command. */
export function documentText(text: string): Printable {
  return inert(rendered(text));
}

/** Takes a document that programs read, as it is. */
export function verbatim(document: string): Printable {
  return trusted(document);
}

/** Formats an attribute's name as in a configuration: quoted unless it is an identifier. */
export function attributeName(name: string): Printable {
  return /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(name) ? trusted(name) : quote(name);
}

const TAB = "    ";

const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Surrogate pairs are shorter than the sequences of colours. */
// oxlint-disable-next-line no-control-regex -- the sequences of picocolors
const COLOUR_OR_UNPRINTABLE = /\x1b\[\d+m|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
]);

function escape(character: string): string {
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).padStart(digits, "0");
  if (code < 0x80) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

function shown(part: Part): string {
  return typeof part === "string" ? printable(part) : String(part);
}

/** Text that was escaped, or that this program has itself. */
function trusted(text: string): Printable {
  return text as Printable;
}
