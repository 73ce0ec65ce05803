import type { ChangeCounts } from "../../runtime/documents/plan";
import { struct } from "../../runtime/state/format-json";
import type { OutputState } from "../../runtime/state/state";
import type { UiMessage } from "./message";
import { outputsMessage, summaryMessage } from "./plan-messages";

/** What was done, and the outputs after it. */
export function appliedMessages(
  operation: "apply" | "destroy",
  counts: ChangeCounts,
  outputs: Readonly<Record<string, OutputState>>,
): readonly UiMessage[] {
  const { add, change, destroy } = counts;
  const imported = counts.import > 0 ? `${counts.import} imported, ` : "";
  const text =
    operation === "destroy"
      ? `Destroy complete! Resources: ${destroy} destroyed.`
      : `Apply complete! Resources: ${imported}${add} added, ${change} changed, ${destroy} destroyed.`;
  const told = Object.entries(outputs).map(
    ([name, { sensitive, type, value }]) =>
      [
        name,
        struct([
          ["sensitive", sensitive],
          ["type", type],
          ["value", sensitive ? undefined : value],
        ]),
      ] as const,
  );
  return [summaryMessage(operation, text, counts), ...outputsMessage(Object.fromEntries(told))];
}
