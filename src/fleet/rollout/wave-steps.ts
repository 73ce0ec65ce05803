import { parseLabel, type LabelFilter } from "../selection/label-filter";
import { formatLabel } from "../selection/labels";
import { compareShares, parseShare, type Share } from "./share";

/** One step of `--waves`: a wave, unless it adds no stacks. */
export interface WaveStep {
  /** The stacks that the step takes from. Default: all. */
  readonly selector?: LabelFilter;
  /** The stacks of the selector that have started with this wave; cumulative. */
  readonly share: Share;
  /** The number of stacks that change at a time. Default: by `--max-failures`. */
  readonly most?: number;
  /** The wave starts after an approval, also with `--auto-approve`. */
  readonly manual?: boolean;
}

/** The steps of `--waves`, in their order. */
export type Waves = readonly WaveStep[];

const EACH =
  "Each wave must be a number from 1, a percentage, or a label with one of them, as in 1,5%,100% or ring=canary,region=eu/10%:5,100%.";

/**
 * Parses `1,5%,100%` and `ring=canary,region=eu/10%,region=eu:5,100%:manual`. Returns a sentence with the
 * problem for another text.
 */
export function parseWaves(text: string): { waves: Waves } | { problem: string } {
  const waves: WaveStep[] = [];
  for (const part of splitParts(text)) {
    const step = parseStep(part.trim());
    if (!step) return { problem: EACH };
    const before = waves.findLast(
      (other) => keyOf(other) === keyOf(step) && other.share.kind === step.share.kind,
    );
    if (before && compareShares(step.share, before.share) <= 0) {
      return { problem: "Waves are cumulative: each must be larger than the one before." };
    }
    waves.push(step);
  }
  const last = waves.at(-1);
  const isLabelled = waves.some(({ selector }) => selector);
  // With labels, the stacks decide if each is in a wave.
  if (!last || (!isLabelled && !isEverything(last.share))) {
    return { problem: "The last wave must be 100%, as in 1,5%,100%." };
  }
  return { waves };
}

/** Commas in the braces of a pattern separate nothing. */
function splitParts(text: string): readonly string[] {
  return text.match(/(?:\{[^{}]*\}|[^,])+|(?<=^|,)(?=,|$)/g) ?? [""];
}

function keyOf({ selector }: WaveStep): string | undefined {
  return selector && formatLabel(selector.key, selector.value);
}

function parseStep(text: string): WaveStep | undefined {
  const [, body = "", first, second] = /^(.*?)(?::(\d{1,9}|manual))?(?::(\d{1,9}|manual))?$/s.exec(
    text,
  ) ?? [""];
  const options = [first, second].filter((option) => option !== undefined);
  const [most, ...others] = options.filter((option) => option !== "manual").map(Number);
  const isManual = options.includes("manual");
  const isRepeated = others.length > 0 || (options.length === 2 && !isManual) || most === 0;
  if (isRepeated || (first === "manual" && second === "manual")) return undefined;
  const taken = parseTaken(body);
  if (!taken || isNothing(taken.share)) return undefined;
  return {
    ...taken,
    ...(most !== undefined && { most }),
    ...(isManual && { manual: true }),
  };
}

/** Values of labels can have slashes, but for one before an amount. */
function parseTaken(text: string): Pick<WaveStep, "selector" | "share"> | undefined {
  const share = parseShare(text);
  if (share) return { share };
  const [, before, amount = ""] = /^(.*)\/([^/]*)$/s.exec(text) ?? [];
  const part = parseShare(amount);
  const selector = parseLabel(part && before !== undefined ? before : text);
  if (!selector || selector.value === "") return undefined;
  return { selector, share: part ?? ALL };
}

const ALL: Share = { kind: "part", numerator: 100, denominator: 100 };

function isEverything(share: Share): boolean {
  return share.kind === "part" && share.numerator === share.denominator;
}

function isNothing(share: Share): boolean {
  return share.kind === "count" ? share.count === 0 : share.numerator === 0;
}
