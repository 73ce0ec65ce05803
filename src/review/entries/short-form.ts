import type { ResourceChange } from "../../core/documents/stack-plan";
import type { Content, Difference } from "../../formats/difference/difference";
import type { TextOptions } from "../../formats/text/style";
import { diffEntries } from "./compare-entries";
import { isChanged, type EntriesDiff } from "./entries-diff";
import { entryLines } from "./entries-text";
import { reviewOf } from "../../provider/review-hints";

/** Columns in front of the lines of a resource's list. */
const MARGIN_COLUMNS = 8;

/**
 * Shortens the comparison of a resource: lists of named entries are compared by name instead of
 * position, and attributes that only follow from others are left out.
 */
export function shortForm(
  whole: Difference,
  change: ResourceChange,
  options: TextOptions,
): Difference {
  const { content } = whole;
  // An imported object is shown in full.
  if (content.kind !== "object" || change.importing) return whole;
  const members = new Map(content.members);
  for (const diff of diffEntries(change).filter(isChanged)) {
    const list = members.get(diff.attribute);
    if (!list || list.content.kind === "sensitive") continue;
    const effect = list.effect === "none" ? "update" : list.effect;
    members.set(diff.attribute, { ...list, effect, content: contentOf(diff, options) });
  }
  const following = Object.entries(change.attributes ?? {}).flatMap(([name, attribute]) =>
    reviewOf(attribute)?.kind === "follows" ? [name] : [],
  );
  const explains = [...members].some(
    ([name, { effect }]) => effect !== "none" && !following.includes(name),
  );
  if (explains) for (const name of following) members.delete(name);
  return { ...whole, content: { ...content, members } };
}

function contentOf(diff: EntriesDiff, options: TextOptions): Content {
  if (diff.unknown) return { kind: "unknown", before: undefined };
  const lines = entryLines(diff, { ...options, width: options.width - MARGIN_COLUMNS });
  return { kind: "entries", lines };
}
