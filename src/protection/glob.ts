/** The state of the automaton after some text. */
type State = number;

/** No continuation of the text matches. */
const DEAD: State = 0;
/** Every continuation of the text matches. */
const FULL: State = 1;

/**
 * A normalized pattern as an automaton that reads a text character by character. States are created
 * when they are first reached, so a long pattern costs only the states that the search visits.
 */
export class Glob {
  private readonly positions: (readonly number[])[] = [[], []];
  private readonly numbers = new Map<string, State>();
  private readonly steps = [new Map<string, State>(), new Map<string, State>()];
  private readonly letters: readonly string[];
  readonly start: State;

  constructor(pattern: string) {
    this.letters = Array.from(pattern);
    this.start = this.stateOf([0]);
  }

  step(state: State, letter: string): State {
    if (state === DEAD || state === FULL) return state;
    const known = this.steps[state]?.get(letter);
    if (known !== undefined) return known;
    const reached = (this.positions[state] ?? []).flatMap((at) =>
      this.letters[at] === "*" ? [at] : this.letters[at] === letter ? [at + 1] : [],
    );
    const next = this.stateOf(reached);
    this.steps[state]?.set(letter, next);
    return next;
  }

  accepts(state: State): boolean {
    return state === FULL || (this.positions[state] ?? []).includes(this.letters.length);
  }

  isDead(state: State): boolean {
    return state === DEAD;
  }

  isFull(state: State): boolean {
    return state === FULL;
  }

  /** Returns the letters that lead from a state to another state than all other letters do. */
  lettersOf(state: State): readonly string[] {
    return (this.positions[state] ?? []).flatMap((at) => {
      const letter = this.letters[at];
      return letter === undefined || letter === "*" ? [] : [letter];
    });
  }

  private stateOf(reached: readonly number[]): State {
    const { letters } = this;
    const closed = new Set<number>();
    for (let at of reached) {
      closed.add(at);
      while (letters[at] === "*") closed.add(++at);
    }
    // A star matches any text, so positions before the last reached star add nothing.
    const star = Math.max(-1, ...[...closed].filter((at) => letters[at] === "*"));
    const positions = [...closed].filter((at) => at >= star).sort((one, other) => one - other);
    if (positions.length === 0) return DEAD;
    if (star >= 0 && star === letters.length - 1) return FULL;
    const key = positions.join();
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const state = this.positions.push(positions) - 1;
    this.steps.push(new Map());
    this.numbers.set(key, state);
    return state;
  }
}
