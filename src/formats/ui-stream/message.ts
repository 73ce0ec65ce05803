import { formatPath, type Diagnostic } from "../../core/diagnostics";
import { formatJson, struct, type JsonTree } from "../../core/json/format-json";
import { parseAddress } from "../../core/documents/address";
import type { EngineEvent } from "../../core/documents/events";
import { describeEvent, formatDuration } from "../text/progress-text";

/** One line of the stream, without its time. */
export interface UiMessage {
  readonly level: "info" | "warn" | "error";
  readonly text: string;
  readonly type: string;
  /** `hook`, `change`, `changes`, `outputs` or `diagnostic`, according to the type. */
  readonly members?: { readonly [name: string]: JsonTree };
}

/**
 * Formats one line as Terraform does with `-json`, without its line break. The members
 * `stack` or `stacks` name the stacks of the line where a run is about several.
 */
export function formatMessage(
  message: UiMessage,
  time: Date,
  stacks: readonly string[] = [],
): string {
  const [stack, ...others] = stacks;
  return formatJson({
    "@level": message.level,
    "@message": message.text,
    "@module": "terraform.ui",
    // Terraform writes six digits.
    "@timestamp": time.toISOString().replace("Z", "000Z"),
    ...message.members,
    ...(others.length > 0 ? { stacks } : stack !== undefined && { stack }),
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
  const isError = diagnostic.severity === "error";
  return {
    level: isError ? "error" : "warn",
    text: `${isError ? "Error" : "Warning"}: ${diagnostic.summary}`,
    type: "diagnostic",
    members: { diagnostic: describeDiagnostic(diagnostic) },
  };
}

/** A diagnostic as a member of JSON documents. */
export function describeDiagnostic(diagnostic: Diagnostic): JsonTree {
  const { severity, summary, detail, address, constructPath, source, path, entry } = diagnostic;
  return struct([
    ["severity", severity],
    ["summary", summary],
    ["detail", detail],
    ["address", address],
    ["construct_path", constructPath],
    ["source", source],
    ["attribute", path && path.length > 0 ? formatPath(path) : undefined],
    ["entry", entry],
  ]);
}

const READ = ["Refreshing", "Refresh"] as const;

/** Describes an event as Terraform's stream does; undefined for an event that is not in it. */
export function eventMessage(event: EngineEvent): UiMessage | undefined {
  switch (event.type) {
    case "import_start":
    case "import_prepared":
    case "import_planned":
    case "import_apply_start":
    case "import_apply_complete":
      return undefined;
    case "provision_progress": {
      const output = event.line.trimEnd();
      return output === ""
        ? undefined
        : hookMessage(event, `(${event.provisioner}): ${output}`, output);
    }
    case "apply_progress": {
      const message = event.message === undefined ? "" : `, ${event.message}`;
      const elapsed = `[${formatDuration(event.elapsedMs)} elapsed${message}]`;
      return hookMessage(event, `${describeEvent(event, READ)} ${elapsed}`);
    }
    default:
      return hookMessage(event, describeEvent(event, READ));
  }
}

function hookMessage(event: EngineEvent, text: string, output?: string): UiMessage {
  const hasId = "id" in event && event.type !== "apply_progress";
  const id = (hasId && event.id) || undefined;
  const hook = struct([
    ["resource", describeResource(event.address)],
    ["action", "action" in event ? event.action : undefined],
    ["id_key", id && "id"],
    ["id_value", id],
    ["elapsed_seconds", "elapsedMs" in event ? Math.round(event.elapsedMs / 1000) : undefined],
    ["provisioner", "provisioner" in event ? event.provisioner : undefined],
    ["output", output],
  ]);
  const { type, address } = event;
  return { level: "info", text: `${address}: ${text}`, type, members: { hook } };
}
