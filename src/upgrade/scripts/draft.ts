import type { Template } from "./template";

/**
 * Text that is put together of others, which it leaves as they are: variables hold variables, and
 * all that they may say together is a lot.
 */
export interface Draft {
  readonly text: string;
  /** The variable that it begins with, if nobody knows what that holds. */
  readonly base: string | undefined;
  /** Where the text stands in the file, unless it has parts; undefined for another file's. */
  readonly offset: number | undefined;
  readonly parts: readonly Draft[];
  /** The text of a variable that it is. */
  readonly value?: Template;
}

export function draftOf(text: string, offset: number | undefined, base?: string): Draft {
  return { text, base, offset, parts: [] };
}

export const EMPTY = draftOf("", undefined);

export function appended(draft: Draft, next: Draft): Draft {
  if (draft === EMPTY) return next;
  return {
    text: draft.text + next.text,
    base: draft.text === "" ? next.base : draft.base,
    offset: undefined,
    parts: [draft, next],
  };
}

/** What a variable holds; it may be another one's text altogether. */
export function ofVariable(draft: Draft, value: Template): Draft {
  if (draft.value === undefined) return { ...draft, value };
  return { text: draft.text, base: draft.base, offset: draft.offset, parts: [draft], value };
}

/** The texts of variables that are part of it. */
export function valuesIn(draft: Draft): ReadonlySet<Template> {
  const found = new Set<Template>();
  const visit = ({ value, parts }: Draft): void => {
    if (value) found.add(value);
    parts.forEach(visit);
  };
  visit(draft);
  return found;
}

/** Where a character of the text stands in the file; undefined for another file's. */
export function offsetIn({ offset, parts }: Draft, index: number): number | undefined {
  let start = 0;
  for (const part of parts) {
    if (index < start + part.text.length) return offsetIn(part, index - start);
    start += part.text.length;
  }
  return offset === undefined ? undefined : offset + index;
}
