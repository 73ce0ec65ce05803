import { struct } from "../../core/json/format-json";
import type { UiMessage } from "../../formats/ui-stream/message";
import type { ExclusionGroup } from "./group-exclusions";

/** Describes excluded or failed stacks by their reasons. Terraform's stream has no such message. */
export function exclusionsMessage(
  type: "excluded_stacks" | "failed_stacks",
  groups: readonly ExclusionGroup[],
  total: number,
): UiMessage {
  const count = groups.reduce((sum, { stacks }) => sum + stacks.length, 0);
  const title = type === "excluded_stacks" ? "Excluded" : "Failed";
  const encoded = groups.map(({ reason, stacks }) =>
    struct([
      ["reason", reason],
      ["stacks", [...stacks]],
    ]),
  );
  return {
    level: "error",
    text: `${title}: ${count} of ${total} stacks`,
    type,
    members: {
      [type]: struct([
        ["total", total],
        ["groups", encoded],
      ]),
    },
  };
}
