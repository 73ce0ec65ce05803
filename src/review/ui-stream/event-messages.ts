import type { EngineEvent } from "../../runtime/documents/events";
import { struct } from "../../runtime/state/format-json";
import { describeEvent, formatDuration } from "../text/progress-text";
import { describeResource, type UiMessage } from "./message";

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
