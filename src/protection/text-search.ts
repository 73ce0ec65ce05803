import { Glob } from "./glob";
import { Memo } from "./memo";
import {
  commonPattern,
  normalizedList,
  matchesSome,
  matchesValue,
  type PatternList,
} from "./pattern";

/** Limits the steps of one comparison. An effect that needs more is reported as possible. */
export class Budget {
  constructor(private steps: number) {}

  get isExceeded(): boolean {
    return this.steps < 0;
  }

  spend(steps: number): void {
    this.steps -= steps;
  }

  /** Counts steps. Throws when the budget is exceeded. */
  check(steps: number): void {
    this.spend(steps);
    if (this.isExceeded) throw new Error("the search takes too long");
  }
}

interface Watched {
  readonly globs: readonly Glob[];
  /** The index of the first pattern in the states of a search. */
  readonly from: number;
}

interface WatchedList {
  readonly included: Watched;
  readonly exempted: Watched;
}

interface Node {
  readonly states: readonly number[];
  readonly letter: string;
  readonly before: Node | undefined;
}

const PLAIN_LETTERS = Array.from("xyzabcdefghijklmnopqrstuvw0123456789");

/** The number of patterns of one list that are tried before the search. */
const MOST_GUESSES = 20;

const globs = new Map<string, Glob>();

function globOf(pattern: string): Glob {
  const known = globs.get(pattern);
  if (known) return known;
  // The cache is emptied, so that a process that never ends does not grow.
  if (globs.size > 10_000) globs.clear();
  const glob = new Glob(pattern);
  globs.set(pattern, glob);
  return glob;
}

/** Finds texts for one comparison, and counts its steps. */
export class TextSearch {
  /** A text that a list exempts; empty if there is none. */
  private readonly exempted = new Memo(
    (list: PatternList) => this.find([normalizedList(list.exempted, [])]) ?? "",
  );

  constructor(readonly budget: Budget) {}

  /**
   * Finds a text that matches each list of `inside` and none of `outside`; undefined if there is none.
   * Tries the patterns with a letter for each star first, then searches exactly.
   */
  find(inside: readonly PatternList[], outside: readonly PatternList[] = []): string | undefined {
    if (inside.some(({ isNothing }) => isNothing)) return undefined;
    const other = otherLetter([...inside, ...outside]);
    const fits = (text: string) =>
      text !== "" &&
      inside.every((list) => matchesValue(list, text)) &&
      !outside.some((list) => matchesValue(list, text));
    this.budget.check(1 + inside.length + outside.length);
    return likelyTexts(inside, other).find(fits) ?? searchText(inside, outside, other, this.budget);
  }

  /** Finds a text that a list exempts and that no forbidden pattern matches. Tries a known one first. */
  findExempted(list: PatternList, forbidden: readonly string[]): string | undefined {
    if (list.exempted.length === 0) return undefined;
    const likely = this.exempted.of(list);
    if (likely === "") return undefined;
    if (!matchesSome(forbidden, likely)) return likely;
    return this.find([normalizedList(list.exempted, forbidden)]);
  }
}

/** Lists likely and readable texts: patterns that all lists include, with a letter for each star. */
function likelyTexts([first, ...rest]: readonly PatternList[], letter: string): readonly string[] {
  const patterns = rest.reduce<readonly string[]>(
    (found, { included }) =>
      found
        .flatMap((one) => included.slice(0, MOST_GUESSES).map((other) => commonPattern(one, other)))
        .filter((pattern) => pattern !== undefined)
        .slice(0, MOST_GUESSES),
    first?.included.slice(0, MOST_GUESSES) ?? [],
  );
  return patterns.map((pattern) => pattern.replaceAll("*", letter));
}

/** Finds a shortest text by breadth-first search over the automata of all patterns. */
function searchText(
  inside: readonly PatternList[],
  outside: readonly PatternList[],
  other: string,
  budget: Budget,
): string | undefined {
  const all: Glob[] = [];
  const watch = (patterns: readonly string[]): Watched => {
    const from = all.length;
    const added = patterns.map(globOf);
    all.push(...added);
    return { globs: added, from };
  };
  const lists = (given: readonly PatternList[]): readonly WatchedList[] =>
    given.map(({ included, exempted }) => ({
      included: watch(included),
      exempted: watch(exempted),
    }));
  const [wanted, unwanted] = [lists(inside), lists(outside)];
  const root: Node = { states: all.map(({ start }) => start), letter: "", before: undefined };
  const seen = new Set<string>([root.states.join()]);
  let level: readonly Node[] = [root];
  while (level.length > 0) {
    const next: Node[] = [];
    for (const node of level) {
      for (const letter of [...lettersOf(all, node.states), other]) {
        budget.check(all.length);
        const states = all.map((glob, at) => glob.step(node.states[at] ?? 0, letter));
        if (isHopeless(wanted, unwanted, states)) continue;
        const reached: Node = { states, letter, before: node };
        if (isFound(wanted, unwanted, states)) return lettersTo(reached);
        const key = states.join();
        if (seen.has(key)) continue;
        seen.add(key);
        next.push(reached);
      }
    }
    level = next;
  }
  return undefined;
}

function lettersOf(all: readonly Glob[], states: readonly number[]): ReadonlySet<string> {
  return new Set(all.flatMap((glob, at) => glob.lettersOf(states[at] ?? 0)));
}

/** Chooses a letter that no pattern has. It represents all letters of which this is true. */
function otherLetter(lists: readonly PatternList[]): string {
  const isUsed = (letter: string) => lists.some(({ key }) => key.includes(letter));
  const plain = PLAIN_LETTERS.find((letter) => !isUsed(letter));
  if (plain !== undefined) return plain;
  for (let code = 0x4e00; ; code += 1) {
    const letter = String.fromCodePoint(code);
    if (!isUsed(letter)) return letter;
  }
}

function someMatches(
  { globs: watched, from }: Watched,
  states: readonly number[],
  test: (glob: Glob, state: number) => boolean,
): boolean {
  return watched.some((glob, at) => test(glob, states[from + at] ?? 0));
}

const accepts = (glob: Glob, state: number) => glob.accepts(state);
const isAlive = (glob: Glob, state: number) => !glob.isDead(state);
const isFull = (glob: Glob, state: number) => glob.isFull(state);

function isFound(
  wanted: readonly WatchedList[],
  unwanted: readonly WatchedList[],
  states: readonly number[],
): boolean {
  const isIn = ({ included, exempted }: WatchedList) =>
    someMatches(included, states, accepts) && !someMatches(exempted, states, accepts);
  return wanted.every(isIn) && !unwanted.some(isIn);
}

/** Returns true if no continuation of the text fits. */
function isHopeless(
  wanted: readonly WatchedList[],
  unwanted: readonly WatchedList[],
  states: readonly number[],
): boolean {
  return (
    wanted.some(
      ({ included, exempted }) =>
        !someMatches(included, states, isAlive) || someMatches(exempted, states, isFull),
    ) ||
    unwanted.some(
      ({ included, exempted }) =>
        someMatches(included, states, isFull) && !someMatches(exempted, states, isAlive),
    )
  );
}

function lettersTo(node: Node): string {
  const letters: string[] = [];
  for (let at: Node | undefined = node; at; at = at.before) letters.push(at.letter);
  return letters.reverse().join("");
}
