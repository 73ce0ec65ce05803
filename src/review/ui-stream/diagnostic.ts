import { formatPath, type Diagnostic } from "../../provider/diagnostics";
import { struct } from "../../runtime/state/format-json";
import type { UiMessage } from "./message";

/**
 * A diagnostic. Where Terraform quotes the configuration, this names the construct that made it, and
 * the attribute.
 */
export function diagnosticMessage(diagnostic: Diagnostic): UiMessage {
  const { severity, summary, detail, address, constructPath, path } = diagnostic;
  const isError = severity === "error";
  const told = struct([
    ["severity", severity],
    ["summary", summary],
    ["detail", detail],
    ["address", address],
    ["construct_path", constructPath],
    ["attribute", path && path.length > 0 ? formatPath(path) : undefined],
  ]);
  return {
    level: isError ? "error" : "warn",
    text: `${isError ? "Error" : "Warning"}: ${summary}`,
    type: "diagnostic",
    members: { diagnostic: told },
  };
}
