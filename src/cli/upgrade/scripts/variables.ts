import { countBelow } from "./search";
import type { Part, Template } from "./template";
import type { Constant } from "./use";

/** What stands for a hole that nobody knows the content of. */
export const HOLE = "\u0000";

/** A template with its variables put in, as far as they are known. */
export interface Resolved {
  readonly text: string;
  /** Where each of its characters stands in the file; undefined for another file's. */
  offsetAt(index: number): number | undefined;
  /** The variable that it begins with, if nobody knows what that holds. */
  readonly base: string | undefined;
  /** The texts of variables that are part of it. */
  readonly used: ReadonlySet<Template>;
}

interface Piece {
  readonly text: string;
  readonly offset: number | undefined;
}

interface Draft {
  readonly pieces: readonly Piece[];
  readonly base: string | undefined;
  readonly used: readonly Template[];
}

const MOST = 24;
const DEEPEST = 8;

interface Known {
  /** Those that `before` looks at, by their offsets. */
  readonly constants: readonly Constant[];
  readonly offsets: readonly number[];
}

/** The variables of a file, and those of all files that have one value only. */
export class Variables {
  readonly #own = new Map<string, Known>();

  constructor(
    constants: readonly Constant[],
    readonly shared: ReadonlyMap<string, Template>,
    /** Where each variable is used, in order, so that its values can be told to be alternatives. */
    readonly usedAt: ReadonlyMap<string, readonly number[]>,
  ) {
    const byName = new Map<string, Constant[]>();
    for (const constant of constants) {
      const known = byName.get(constant.name) ?? [];
      byName.set(constant.name, known);
      known.push(constant);
    }
    for (const [name, all] of byName) {
      const proper = all.filter(({ kind }) => kind !== "member");
      const chosen = proper.length > 0 ? proper : all;
      chosen.sort((a, b) => a.offset - b.offset);
      this.#own.set(name, { constants: chosen, offsets: chosen.map(({ offset }) => offset) });
    }
  }

  /** All that the template may say at that place of the file. */
  resolve(template: Template, at: number): readonly Resolved[] {
    return this.#expand(template, at, false, 0).map(({ pieces, base, used }) => ({
      text: pieces.map(({ text }) => text).join(""),
      offsetAt: (index) => offsetIn(pieces, index),
      base,
      used: new Set(used),
    }));
  }

  #expand(template: Template, at: number, isShared: boolean, depth: number): readonly Draft[] {
    let drafts: readonly Draft[] = [{ pieces: [], base: undefined, used: [] }];
    for (const part of template) {
      const choices = this.#choicesOf(part, at, isShared, depth);
      drafts = drafts
        .flatMap((draft) => choices.map((choice) => appended(draft, choice)))
        .slice(0, MOST);
    }
    return drafts;
  }

  #choicesOf(part: Part, at: number, isShared: boolean, depth: number): readonly Draft[] {
    if (part.kind === "text") {
      const offset = isShared ? undefined : part.offset;
      return [{ pieces: [{ text: part.text, offset }], base: undefined, used: [] }];
    }
    const unknown: Draft = {
      pieces: [{ text: HOLE, offset: isShared ? undefined : at }],
      base: part.name ?? "",
      used: [],
    };
    if (depth >= DEEPEST) return [unknown];
    const known = part.name === undefined ? [] : this.#valuesOf(part.name, at);
    const { otherwise } = part;
    const values =
      known.length === 0 && otherwise ? [{ template: otherwise, at, isShared }] : known;
    if (values.length === 0) return [unknown];
    return values.flatMap((value) =>
      this.#expand(value.template, value.at, value.isShared, depth + 1).map((draft) => ({
        ...draft,
        used: [...draft.used, value.template],
      })),
    );
  }

  /**
   * What is assigned last before the place. Earlier values count as well if nothing uses them: then
   * they belong to other branches. What is assigned behind only, as for functions above it, counts too.
   */
  #valuesOf(name: string, at: number) {
    const known = this.#own.get(name);
    if (!known) {
      const template = this.shared.get(name);
      return template ? [{ template, at: 0, isShared: true }] : [];
    }
    const { constants, offsets } = known;
    const uses = this.usedAt.get(name) ?? [];
    const found: Constant[] = [];
    for (let index = countBelow(offsets, at) - 1; index >= 0; index--) {
      const constant = constants[index];
      if (!constant || found.length >= MOST) break;
      const next = found.at(-1)?.offset;
      const isUsed =
        next !== undefined && countBelow(uses, next) > countBelow(uses, constant.offset);
      if (isUsed) break;
      found.push(constant);
      if (constant.kind === "parameter") break;
    }
    const behind = constants.find(({ kind }) => kind !== "parameter");
    const chosen = found.length > 0 || !behind ? found : [behind];
    return chosen.flatMap(({ values, offset }) =>
      // A value that names its own variable means the one before.
      values.map((template) => ({ template, at: Math.min(offset, at), isShared: false })),
    );
  }
}

function appended(draft: Draft, choice: Draft): Draft {
  return {
    pieces: [...draft.pieces, ...choice.pieces],
    base: draft.pieces.length === 0 ? choice.base : draft.base,
    used: [...draft.used, ...choice.used],
  };
}

function offsetIn(pieces: readonly Piece[], index: number): number | undefined {
  let start = 0;
  for (const { text, offset } of pieces) {
    if (index < start + text.length)
      return offset === undefined ? undefined : offset + index - start;
    start += text.length;
  }
  return undefined;
}
