import type { Style, TextOptions } from "../../formats/text/style";
import { wordWrap } from "../../formats/text/word-wrap";
import { describeProtection, type EffectText, type PlaceText } from "./protection-text";
import { countWeaker, type ProtectionReview } from "./review-protection";

/** Renders the effect of a change on protection; no lines where there is no review. */
export function renderProtection(
  review: ProtectionReview | undefined,
  options: TextOptions,
): readonly string[] {
  if (!review) return [];
  const { style } = options;
  const { headline, effects, more, notes } = describeProtection(review);
  const emphasized = style.bold(headline);
  return [
    `  ${countWeaker(review) > 0 ? style.red(emphasized) : emphasized}`,
    ...effects.flatMap((effect) => effectLines(effect, options)),
    ...(more === undefined ? [] : [`    ${more}`]),
    ...notes.flatMap((note) => wrapped(`# (${note})`, 4, options).map((line) => dim(line, style))),
  ];
}

function effectLines(effect: EffectText, options: TextOptions): readonly string[] {
  const { style } = options;
  const symbol = { weaker: style.red("-"), stronger: style.green("+"), same: "=" }[effect.change];
  const [first = "", ...rest] = wrapped(effect.text, 6, options);
  const width = Math.max(...effect.places.map(({ where }) => where.length), 0);
  return [
    `    ${symbol} ${first.trimStart()}`,
    ...rest,
    ...effect.places.flatMap((place) => placeLines(place, width, options)),
    ...(effect.more === undefined ? [] : [`        ${effect.more}`]),
  ];
}

/** Names short scopes and their policies on one line. */
function placeLines(
  { where, deciders, example }: PlaceText,
  width: number,
  options: TextOptions,
): readonly string[] {
  const line = `        ${where.padEnd(width)}  ${deciders}`;
  return [
    ...(line.length < options.width
      ? [line]
      : [...wrapped(where, 8, options), ...wrapped(deciders, 10, options)]),
    ...(example === undefined
      ? []
      : wrapped(`for example ${example}`, 10, options).map((text) => dim(text, options.style))),
  ];
}

function wrapped(text: string, margin: number, { width }: TextOptions): readonly string[] {
  const lines = wordWrap(text, width - margin - 1).split("\n");
  return lines.map((line) => " ".repeat(margin) + line);
}

function dim(line: string, { dim: emphasize }: Style): string {
  const text = line.trimStart();
  return line.slice(0, line.length - text.length) + emphasize(text);
}
