import type { RunLogEntry } from "../../fleet/run-log/entries";
import { formatStackCount as count } from "../../formats/text/counts";
import type { UiMessage } from "../../formats/ui-stream/message";
import { struct } from "../../core/json/format-json";

/** Lines about objects are in files only. */
export type RunLogMessage = Exclude<RunLogEntry, { type: "object_record" }>;

/** Describes a line of a run log as a line of the stream that `--json` prints. */
export function runLogMessage(entry: RunLogMessage): UiMessage {
  const { type } = entry;
  switch (type) {
    case "run_start": {
      const { operation, resumed, stacks } = entry.run;
      const text = `${resumed ? "Resumed" : "Started"}: ${operation} of ${count(stacks.length)}`;
      return { level: "info", text, type, members: { run: struct(Object.entries(entry.run)) } };
    }
    case "rollout": {
      const { waves, approval, plans, ...rest } = entry.rollout;
      const text = `Rollout: ${waves.length} ${waves.length === 1 ? "wave" : "waves"}`;
      const rollout = struct([
        ["waves", waves.map((wave) => struct(Object.entries(wave)))],
        ...Object.entries(rest),
        ["approval", approval && { ...approval }],
        ["plans", { ...plans }],
      ]);
      return { level: "info", text, type, members: { rollout } };
    }
    case "wave_start": {
      const { number, count: waves, stacks } = entry.wave;
      const text = `Wave ${number} of ${waves}: ${count(stacks)}`;
      return { level: "info", text, type, members: { wave: entry.wave } };
    }
    case "stack_start": {
      const { stack, origin } = entry;
      const members = origin && { origin: { ...origin, state: { ...origin.state } } };
      return { level: "info", text: `${stack}: started`, type, ...(members && { members }) };
    }
    case "stack_result": {
      const { status, reason, state, ...changes } = entry.result;
      const text = `${entry.stack}: ${status}${reason === undefined ? "" : `: ${reason}`}`;
      const isError = status === "failed" || status === "excluded";
      const result = struct([
        ["status", status],
        ["reason", reason],
        ...Object.entries(changes),
        ["state", state && { ...state }],
      ]);
      return { level: isError ? "error" : "info", text, type, members: { result } };
    }
    case "run_result": {
      const { applied, failed, excluded, not_started, interrupted } = entry.run;
      const { waits_for: waits } = entry.run;
      const waiting = waits ? `, waits for wave ${waits.wave} of ${waits.count}` : "";
      const text = `${interrupted ? "Interrupted" : "Ended"}: ${applied} applied, ${failed} failed, ${excluded} excluded, ${not_started} not started${waiting}`;
      const run = struct(Object.entries(entry.run));
      return { level: "info", text, type, members: { run } };
    }
  }
}
