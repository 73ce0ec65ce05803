/** A number of stacks, or a part of all of them. */
export type Share =
  | { readonly kind: "count"; readonly count: number }
  /** `numerator / denominator` of all; whole numbers, so that no rounding error adds a stack. */
  | { readonly kind: "part"; readonly numerator: number; readonly denominator: number };

/** Parses `5`, `5%` or `0.5%`, up to 100% and with up to three decimals. Undefined for another text. */
export function parseShare(text: string): Share | undefined {
  if (/^\d{1,9}$/.test(text)) return { kind: "count", count: Number(text) };
  const [, whole, decimals = ""] = /^(\d{1,3})(?:\.(\d{1,3}))?%$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const numerator = Number(whole + decimals);
  const denominator = 100 * 10 ** decimals.length;
  return numerator > denominator ? undefined : { kind: "part", numerator, denominator };
}

/** Returns the number of stacks of a share, rounded up and no more than there are. */
export function roundedUp(share: Share, total: number): number {
  if (share.kind === "count") return Math.min(share.count, total);
  return Math.ceil((total * share.numerator) / share.denominator);
}

/** Returns the number of stacks of a share, rounded down and no more than there are. */
export function roundedDown(share: Share, total: number): number {
  if (share.kind === "count") return Math.min(share.count, total);
  return Math.floor((total * share.numerator) / share.denominator);
}

/** Compares shares of one kind. Zero for shares of different kinds: their order depends on the total. */
export function compareShares(a: Share, b: Share): number {
  if (a.kind === "count") return b.kind === "count" ? a.count - b.count : 0;
  return b.kind === "count" ? 0 : a.numerator * b.denominator - b.numerator * a.denominator;
}
