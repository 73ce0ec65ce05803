import { createHash } from "node:crypto";
import type { StateMark } from "../../core/documents/run-record";
import type { State } from "../../core/documents/state";
import { formatState } from "../../formats/state-file/write";

export function markOf(state: State): StateMark {
  const { lineage, serial } = state;
  // Outputs can be secrets that are short enough to guess.
  const text = formatState({ ...state, lineage: "", serial: 0, outputs: {}, checkResults: null });
  return { lineage, serial, sha256: createHash("sha256").update(text).digest("hex") };
}
