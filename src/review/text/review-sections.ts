import type { ResourceChange } from "../../core/documents/stack-plan";
import type { ChangeSections } from "../../formats/text/resource-text";
import type { TextOptions } from "../../formats/text/style";
import { createdLines, renderEntries } from "../entries/entries-text";
import { shortForm } from "../entries/short-form";
import { renderProtection } from "../protection/render-protection";
import type { ProtectionReview } from "../protection/review-protection";

/**
 * The sections of a review in the text of changes: effects on protection before each object, and
 * lists of named entries by name. Whole attributes are shown by position, so the names follow them.
 */
export function reviewSections(
  options: TextOptions,
  protectionOf: (change: ResourceChange) => ProtectionReview | undefined,
): ChangeSections {
  const before = (change: ResourceChange) => renderProtection(protectionOf(change), options);
  return options.attributes
    ? { before, after: (change) => renderEntries(change, options) }
    : {
        before,
        instead: (change) => (options.brief ? createdLines(change, options) : undefined),
        within: (whole, change) => shortForm(whole, change, options),
      };
}
