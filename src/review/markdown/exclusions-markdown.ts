import { inlineCode } from "./code";
import { shortened } from "../entries/shortened";
import { shortStackList } from "../exclusions/exclusions-text";
import type { ExclusionGroup } from "../exclusions/group-exclusions";

/** The room of the cause, which is that of the first stack of several. */
const MOST_CHARACTERS = 200;

/** A heading and a line for each reason; empty where no stack was excluded. */
export function exclusionsMarkdown(groups: readonly ExclusionGroup[], total: number): string {
  if (groups.length === 0) return "";
  const count = groups.reduce((sum, { stacks }) => sum + stacks.length, 0);
  const lines = groups.map(({ reason, stacks, example }) => {
    const [cause = ""] = example.detail.toString().split("\n");
    const detail = cause === "" ? "" : `. ${inlineCode(shortened(cause, MOST_CHARACTERS))}`;
    return `- ${inlineCode(reason)} (${stacks.length}): ${inlineCode(shortStackList(stacks))}${detail}`;
  });
  return [`❌ **Excluded: ${count} of ${total} stacks**`, "", ...lines].join("\n");
}
