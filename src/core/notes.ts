/**
 * A name of a value that another room attaches to what core defines, such as an attribute or a change.
 * Core knows neither the names nor the types:
 *
 * ```ts
 * const LIVE = key<LiveReading>("live");
 * const change = withNote(found, LIVE, reading);
 * noteOf(change, LIVE); // LiveReading | undefined
 * ```
 */
export class Key<T> {
  /** Keys of one name are one key: several files of dist contain it. Each name is used once. */
  constructor(readonly name: string) {}

  /** Holds the type of the value. */
  is(note: Note<unknown>): note is Note<T> {
    return note.key.name === this.name;
  }
}

export const key = <T>(name: string): Key<T> => new Key<T>(name);

/** A value with its key. */
export interface Note<T> {
  readonly key: Key<T>;
  readonly value: T;
}

/** Has values by typed keys. */
export interface Noted {
  readonly notes?: readonly Note<unknown>[];
}

/** Returns the value of a key; undefined if there is none. */
export function noteOf<T>({ notes = [] }: Noted, wanted: Key<T>): T | undefined {
  for (const note of notes) if (wanted.is(note)) return note.value;
  return undefined;
}

/** Returns a copy with this value, in place of an earlier one of the key. */
export function withNote<N extends Noted, T>(noted: N, wanted: Key<T>, value: T): N {
  const others = (noted.notes ?? []).filter((note) => !wanted.is(note));
  return { ...noted, notes: [...others, { key: wanted, value }] };
}
