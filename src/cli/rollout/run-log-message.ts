import type { RunLogEntry } from "../../fleet/run-log/entries";
import { formatStackCount as count } from "../../formats/text/counts";
import type { UiMessage } from "../../formats/ui-stream/message";
import { struct } from "../../core/json/format-json";

/** Describes a line of a run log as a line of the stream that `--json` prints. */
export function runLogMessage(entry: RunLogEntry): UiMessage {
  const { type } = entry;
  switch (type) {
    case "run_start": {
      const { operation, resumed, stacks } = entry.run;
      const text = `${resumed ? "Resumed" : "Started"}: ${operation} of ${count(stacks.length)}`;
      return { level: "info", text, type, members: { run: entry.run } };
    }
    case "wave_start": {
      const { number, count: waves, stacks } = entry.wave;
      const text = `Wave ${number} of ${waves}: ${count(stacks)}`;
      return { level: "info", text, type, members: { wave: entry.wave } };
    }
    case "stack_start":
      return { level: "info", text: `${entry.stack}: started`, type };
    case "stack_result": {
      const { status, reason, ...changes } = entry.result;
      const text = `${entry.stack}: ${status}${reason === undefined ? "" : `: ${reason}`}`;
      const isError = status === "failed" || status === "excluded";
      const result = struct([["status", status], ["reason", reason], ...Object.entries(changes)]);
      return { level: isError ? "error" : "info", text, type, members: { result } };
    }
    case "run_result": {
      const { applied, failed, excluded, not_started, interrupted } = entry.run;
      const text = `${interrupted ? "Interrupted" : "Ended"}: ${applied} applied, ${failed} failed, ${excluded} excluded, ${not_started} not started`;
      return { level: "info", text, type, members: { run: entry.run } };
    }
  }
}
