import { formatPath, type Diagnostic } from "../../provider/diagnostics";
import { formatJson, struct, type JsonTree } from "../../runtime/state/format-json";
import { parseAddress } from "../../runtime/state/address";

/** One line of the stream, without its time. */
export interface UiMessage {
  readonly level: "info" | "warn" | "error";
  readonly text: string;
  readonly type: string;
  /** `hook`, `change`, `changes`, `outputs` or `diagnostic`, according to the type. */
  readonly members?: { readonly [name: string]: JsonTree };
}

/**
 * Formats one line as Terraform does with `-json`, without its line break. `stack` is a member of
 * the line where a run is about several stacks.
 */
export function formatMessage(message: UiMessage, time: Date, stack?: string): string {
  return formatJson({
    "@level": message.level,
    "@message": message.text,
    "@module": "terraform.ui",
    // Terraform writes six digits.
    "@timestamp": time.toISOString().replace("Z", "000Z"),
    ...message.members,
    ...(stack !== undefined && { stack }),
    type: message.type,
  });
}

/** Encodes an address as the member `resource` of hooks and changes. */
export function describeResource(address: string): JsonTree {
  const { module = "", mode, type = "", name = "", key = null } = parseAddress(address) ?? {};
  const inModule = module === "" ? address : address.slice(module.length + 1);
  return struct([
    ["addr", address],
    ["module", module],
    ["resource", inModule],
    ["implied_provider", mode === undefined ? "" : (type.split("_")[0] ?? "")],
    ["resource_type", type],
    ["resource_name", name],
    ["resource_key", key],
  ]);
}

/**
 * Describes a diagnostic. In place of the configuration that Terraform quotes, it names the
 * construct and the attribute.
 */
export function diagnosticMessage(diagnostic: Diagnostic): UiMessage {
  const { severity, summary, detail, address, constructPath, path } = diagnostic;
  const isError = severity === "error";
  const encoded = struct([
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
    members: { diagnostic: encoded },
  };
}
