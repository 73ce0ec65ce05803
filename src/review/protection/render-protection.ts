import type { TextOptions } from "../../formats/text/style";
import { printed, type Printed } from "../../core/printed";
import { noteLines } from "../entries/entries-text";
import { wrappedLines } from "../../formats/text/word-wrap";
import { describeProtection, type EffectText, type PlaceText } from "./protection-text";
import { countWeaker, type ProtectionReview } from "./review-protection";

/** Renders the effect of a change on protection; no lines where there is no review. */
export function renderProtection(
  review: ProtectionReview | undefined,
  options: TextOptions,
): readonly Printed[] {
  const inner = { ...options, width: options.width - 2 };
  return review ? protectionLines(review, inner).map((line) => printed`  ${line}`) : [];
}

/** The lines of a separate paragraph. */
export function protectionLines(
  review: ProtectionReview,
  options: TextOptions,
): readonly Printed[] {
  const { whole: isWhole = false } = options;
  const { headline, live, effects, more, notes } = describeProtection(review, { isWhole });
  return [
    protectionHeadline(headline, countWeaker(review) > 0, options),
    ...live.flatMap((sentence) => wrapped(sentence, 2, options)),
    ...effects.flatMap((effect) => effectLines(effect, options)),
    ...(more === undefined ? [] : [printed`  ${more}`]),
    ...notes.flatMap((note) => noteLines(note, 2, options)),
  ];
}

export function protectionHeadline(
  text: string,
  isWeaker: boolean,
  { style }: TextOptions,
): Printed {
  const emphasized = style.bold(printed`${text}`);
  return isWeaker ? style.red(emphasized) : emphasized;
}

function effectLines(effect: EffectText, options: TextOptions): readonly Printed[] {
  const { red, green } = options.style;
  const symbol = { weaker: red(printed`-`), stronger: green(printed`+`), same: "=" }[effect.change];
  const [first = "", ...rest] = wrappedLines(effect.text, options.width - 5);
  const width = Math.max(...effect.places.map(({ where }) => where.length), 0);
  return [
    printed`  ${symbol} ${first}`,
    ...rest.map((line) => printed`    ${line}`),
    ...effect.places.flatMap((place) => placeLines(place, width, options)),
    ...(effect.more === "" ? [] : [printed`     ${effect.more}`]),
  ];
}

/** Names short scopes and their policies on one line. */
function placeLines(
  { where, deciders, live, example }: PlaceText,
  width: number,
  options: TextOptions,
): readonly Printed[] {
  const line = `      ${where.padEnd(width)}  ${deciders}`;
  return [
    ...(line.length < options.width
      ? [printed`${line}`]
      : [...wrapped(where, 6, options), ...wrapped(deciders, 8, options)]),
    ...(live === undefined ? [] : wrapped(live, 8, options)),
    ...(example === undefined
      ? []
      : wrapped(`for example ${example}`, 8, options, options.style.dim)),
  ];
}

function wrapped(
  text: string,
  margin: number,
  { width }: TextOptions,
  style = (line: Printed) => line,
): readonly Printed[] {
  const lines = wrappedLines(text, width - margin - 1);
  return lines.map((line) => printed`${" ".repeat(margin)}${style(line)}`);
}
