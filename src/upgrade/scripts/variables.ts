import { appended, draftOf, EMPTY, offsetIn, ofVariable, valuesIn, type Draft } from "./draft";
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
  used(): ReadonlySet<Template>;
}

const MOST = 24;
const DEEPEST = 8;
/** Of a URL's characters, and of the parts of its template: longer text is none. */
const LONGEST = 4096;
const MOST_PARTS = 64;

interface Known {
  /** Those that `before` looks at, by their offsets. */
  readonly constants: readonly Constant[];
  readonly offsets: readonly number[];
}

/** The variables of a file, and those of all files that have one value only. */
export class Variables {
  readonly #own = new Map<string, Known>();
  /** What templates say, by where they are used and how deep: many variables are used again and again. */
  readonly #expanded = new Map<Template, Map<number, readonly Draft[]>>();

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
    return this.#expand(template, at, false, 0).map((draft) => ({
      text: draft.text,
      offsetAt: (index) => offsetIn(draft, index),
      base: draft.base,
      used: () => valuesIn(draft),
    }));
  }

  /** The function whose parameter the name is at that place. */
  functionOf(name: string, at: number): string | undefined {
    const known = this.#own.get(name);
    const last = known?.constants[countBelow(known.offsets, at) - 1];
    return last?.kind === "parameter" ? last.of : undefined;
  }

  #expand(template: Template, at: number, isShared: boolean, depth: number): readonly Draft[] {
    const known = this.#expanded.get(template) ?? new Map<number, readonly Draft[]>();
    this.#expanded.set(template, known);
    const key = (at * 2 + Number(isShared)) * (DEEPEST + 2) + depth;
    const before = known.get(key);
    if (before) return before;
    const drafts = this.#combine(template, at, isShared, depth);
    known.set(key, drafts);
    return drafts;
  }

  #combine(template: Template, at: number, isShared: boolean, depth: number): readonly Draft[] {
    if (template.length > MOST_PARTS) return [];
    let drafts: readonly Draft[] = [EMPTY];
    for (const part of template) {
      const choices = this.#choicesOf(part, at, isShared, depth);
      const next: Draft[] = [];
      for (const draft of drafts) {
        if (next.length >= MOST) break;
        next.push(...choices.map((choice) => appended(draft, choice)));
      }
      drafts = next.filter(({ text }) => text.length <= LONGEST).slice(0, MOST);
    }
    return drafts;
  }

  #choicesOf(part: Part, at: number, isShared: boolean, depth: number): readonly Draft[] {
    if (part.kind === "text") {
      return [draftOf(part.text, isShared ? undefined : part.offset)];
    }
    const { name, otherwise } = part;
    const unknown = draftOf(HOLE, isShared ? undefined : at, name ?? "");
    if (depth >= DEEPEST) return [unknown];
    const known = name === undefined ? [] : this.#valuesOf(name, at);
    const values =
      known.length === 0 && otherwise ? [{ template: otherwise, at, isShared }] : known;
    if (values.length === 0) return [unknown];
    const choices: Draft[] = [];
    // Variables within variables: fewer at each level, or there is no end of them.
    const most = Math.max(2, (MOST * 2) >> depth);
    for (const value of values.slice(0, most)) {
      if (choices.length >= most) break;
      const drafts = this.#expand(value.template, value.at, value.isShared, depth + 1);
      choices.push(...drafts.map((draft) => ofVariable(draft, value.template)));
    }
    return choices;
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
