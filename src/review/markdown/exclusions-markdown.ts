import { inlineCode } from "./code";
import { listStacks } from "../exclusions/exclusions-text";
import type { ExclusionGroup } from "../exclusions/group-exclusions";

/** A heading and a line for each reason; empty where no stack was excluded. */
export function exclusionsMarkdown(groups: readonly ExclusionGroup[], total: number): string {
  if (groups.length === 0) return "";
  const count = groups.reduce((sum, { stacks }) => sum + stacks.length, 0);
  const lines = groups.map(
    ({ reason, stacks }) =>
      `- ${inlineCode(reason)} (${stacks.length}): ${inlineCode(listStacks(stacks))}`,
  );
  return [`❌ **Excluded: ${count} of ${total} stacks**`, "", ...lines].join("\n");
}
