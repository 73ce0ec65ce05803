import { stripVTControlCharacters } from "node:util";
import { COLUMNS, type Run } from "./scenario";

/** The rows of the terminal that the recording shows. */
const ROWS = 32;

/** Sizes in pixels. The text of a line is stretched to the cells, whatever font there is. */
const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const MARGIN = 16;
const WIDTH = COLUMNS * CELL_WIDTH + 2 * MARGIN;
const HEIGHT = ROWS * LINE_HEIGHT + 2 * MARGIN;

/** Times of the recording in milliseconds: those of readers, as the commands are faster. */
const KEY_MS = 25;
const LINE_MS = 30;
const READ_SCREEN_MS = 5000;
const END_OF_COMMAND_MS = 2500;
const END_MS = 5000;

const PROMPT = "$ ";

/** A code that selects colours and weights, as a part of regular expressions. */
const CODE = String.raw`\u001b\[\d+m`;

/** Select graphic rendition: the class that a code sets; a code without one resets its kind. */
const STYLES: Readonly<Record<string, readonly [kind: string, style?: string]>> = {
  1: ["weight", "bold"],
  22: ["weight"],
  31: ["colour", "red"],
  32: ["colour", "green"],
  33: ["colour", "yellow"],
  36: ["colour", "cyan"],
  39: ["colour"],
  90: ["colour", "gray"],
};

/** A moment: how many lines are shown, and how many characters of the last one. */
interface Moment {
  readonly at: number;
  readonly lines: number;
  readonly characters: number;
}

/** The lines of a command as a terminal of this width shows them, the prompt first. */
type Screen = readonly string[];

/** Draws the runs as an animated SVG; without motion, it shows the end. The same runs give the same text. */
export function recording(runs: readonly Run[], title: string): string {
  const screens = runs.map(({ command, printed }) => [
    `\u001b[1m${PROMPT}${command}\u001b[22m`,
    ...printed.trimEnd().split("\n").flatMap(wrapped),
    "",
  ]);
  const lines = screens.flat();
  const styles = new Map<string, string>();
  const texts = lines.map((line, index) => drawn(line, index, styles)).join("");
  const [moments, duration] = timeline(screens);
  const last = moments.at(-1)?.lines ?? 0;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">
<title>${escaped(title)}</title>
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d7dde5; white-space: pre; }
.bold { font-weight: bold; }
.red { fill: #ff7b72; } .green { fill: #56d364; } .yellow { fill: #e3b341; } .cyan { fill: #76e3ea; } .gray { fill: #8b949e; }
.paper { fill: #0d1117; }
#lines { transform: translateY(${-scrolled(last)}px); }
#rest { transform: translateY(${last * LINE_HEIGHT}px); }
#untyped { transform: translate(${WIDTH}px, 0); }
@media (prefers-reduced-motion: no-preference) {
#lines, #rest, #untyped { animation: ${duration}ms step-end infinite; }
${keyframes("lines", moments, duration, ({ lines }) => `translateY(${-scrolled(lines)}px)`)}
${keyframes("rest", moments, duration, ({ lines }) => `translateY(${lines * LINE_HEIGHT}px)`)}
${keyframes("untyped", moments, duration, ({ lines, characters }) => `translate(${rounded(characters * CELL_WIDTH)}px, ${(lines - 1) * LINE_HEIGHT}px)`)}
}
</style>
<rect class="paper" width="${WIDTH}" height="${HEIGHT}" rx="8"/>
<svg x="${MARGIN}" y="${MARGIN}" width="${WIDTH - MARGIN}" height="${ROWS * LINE_HEIGHT}">
<g id="lines">
${texts}<rect id="rest" class="paper" width="${WIDTH}" height="${lines.length * LINE_HEIGHT}"/>
<rect id="untyped" class="paper" width="${WIDTH}" height="${LINE_HEIGHT}"/>
</g>
</svg>
</svg>
`;
}

/** Breaks a line behind the last column. Codes stay where they are. */
function wrapped(line: string): readonly string[] {
  const cell = `(?:${CODE})*[^\\u001b]`;
  const broken = new RegExp(`(?:${cell}){1,${COLUMNS}}(?:${CODE})*`, "gu");
  return line.match(broken) ?? [line];
}

function cellsOf(line: string): number {
  return stripVTControlCharacters(line).length;
}

function scrolled(lines: number): number {
  return Math.max(0, lines - ROWS) * LINE_HEIGHT;
}

/** The moments of the recording, and its duration: it types, prints, and waits for the reader. */
function timeline(screens: readonly Screen[]): readonly [readonly Moment[], number] {
  const moments: Moment[] = [];
  let at = 0;
  let lines = 0;
  let unread = 0;
  const show = (characters: number, milliseconds: number) => {
    moments.push({ at, lines, characters });
    at += milliseconds;
  };
  for (const [command = "", ...printed] of screens) {
    lines += 1;
    for (let typed = PROMPT.length; typed <= cellsOf(command); typed += 1) show(typed, KEY_MS);
    unread = 1;
    printed.forEach(() => {
      lines += 1;
      unread += 1;
      const isFull = unread === ROWS;
      if (isFull) unread = 0;
      show(COLUMNS, isFull ? READ_SCREEN_MS : LINE_MS);
    });
    at += END_OF_COMMAND_MS;
  }
  return [moments, at + END_MS];
}

function keyframes(
  name: string,
  moments: readonly Moment[],
  duration: number,
  transform: (moment: Moment) => string,
): string {
  const stops = moments
    .map((moment) => ({ at: moment.at, value: transform(moment) }))
    .filter(({ value }, index, all) => value !== all[index - 1]?.value)
    .map(({ at, value }) => `${rounded((at / duration) * 100)}% { transform: ${value}; }`);
  return `#${name} { animation-name: ${name}; }\n@keyframes ${name} { ${stops.join(" ")} }`;
}

/** Draws a line of a terminal with its colours. `styles` are those that are on, before and after it. */
function drawn(line: string, index: number, styles: Map<string, string>): string {
  let length = 0;
  const parts = line.split(new RegExp(`(${CODE})`)).map((part, position) => {
    if (position % 2 === 1) {
      const [kind, style] = STYLES[part.slice(2, -1)] ?? [];
      if (kind === undefined)
        throw new Error(`The recording has no style for ${JSON.stringify(part)}.`);
      if (style === undefined) styles.delete(kind);
      else styles.set(kind, style);
      return "";
    }
    if (part.includes("\u001b"))
      throw new Error(`The recording cannot draw ${JSON.stringify(part)}.`);
    length += part.length;
    if (part === "") return "";
    const text = escaped(part);
    return styles.size === 0
      ? text
      : `<tspan class="${[...styles.values()].join(" ")}">${text}</tspan>`;
  });
  if (length === 0) return "";
  const y = (index + 1) * LINE_HEIGHT - 5;
  return `<text y="${y}" textLength="${rounded(length * CELL_WIDTH)}">${parts.join("")}</text>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
