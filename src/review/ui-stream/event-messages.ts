import type { EngineEvent, Operation } from "../../runtime/documents/events";
import { struct, type JsonTree } from "../../runtime/state/format-json";
import { EPHEMERAL_STARTS, formatDuration } from "../text/progress-text";
import { describeResource, type UiMessage } from "./message";

const STARTS: Readonly<Record<Operation, string>> = {
  create: "Creating",
  read: "Refreshing",
  update: "Modifying",
  delete: "Destroying",
};

const CONTINUES: Readonly<Record<Operation, string>> = {
  create: "creating",
  read: "refreshing",
  update: "modifying",
  delete: "destroying",
};

const NOUNS: Readonly<Record<Operation, string>> = {
  create: "Creation",
  read: "Refresh",
  update: "Modifications",
  delete: "Destruction",
};

/** What happens, as Terraform's stream tells it; undefined where it does not. */
export function eventMessage(event: EngineEvent): UiMessage | undefined {
  const { address } = event;
  switch (event.type) {
    case "refresh_start":
      return hook(event, `${address}: Refreshing state...${idNote(event)}`, idMembers(event));
    case "refresh_complete":
      return hook(event, `${address}: Refresh complete${idNote(event)}`, idMembers(event));
    case "apply_start":
      return hook(event, `${address}: ${STARTS[event.action]}...${idNote(event)}`, [
        ["action", event.action],
        ...idMembers(event),
      ]);
    case "apply_progress": {
      const waits = event.message === undefined ? "" : `, ${event.message}`;
      const elapsed = `[${formatDuration(event.elapsedMs)} elapsed${waits}]`;
      return hook(event, `${address}: Still ${CONTINUES[event.action]}... ${elapsed}`, [
        ["action", event.action],
        ["elapsed_seconds", seconds(event)],
      ]);
    }
    case "apply_complete": {
      const after = `${NOUNS[event.action]} complete after ${formatDuration(event.elapsedMs)}`;
      return hook(event, `${address}: ${after}${idNote(event)}`, [
        ["action", event.action],
        ...idMembers(event),
        ["elapsed_seconds", seconds(event)],
      ]);
    }
    case "apply_errored": {
      const after = `${NOUNS[event.action]} errored after ${formatDuration(event.elapsedMs)}`;
      return hook(event, `${address}: ${after}`, [
        ["action", event.action],
        ["elapsed_seconds", seconds(event)],
      ]);
    }
    case "provision_start":
      return hook(event, `${address}: Provisioning with '${event.provisioner}'...`, [
        ["provisioner", event.provisioner],
      ]);
    case "provision_progress": {
      const output = event.line.trimEnd();
      if (output === "") return undefined;
      return hook(event, `${address}: (${event.provisioner}): ${output}`, [
        ["provisioner", event.provisioner],
        ["output", output],
      ]);
    }
    case "provision_complete":
    case "provision_errored": {
      const how = event.type === "provision_complete" ? "complete" : "errored";
      return hook(event, `${address}: (${event.provisioner}) Provisioning ${how}`, [
        ["provisioner", event.provisioner],
      ]);
    }
    case "ephemeral_op_start":
      return hook(event, `${address}: ${EPHEMERAL_STARTS[event.action]}...`, [
        ["action", event.action],
      ]);
    case "ephemeral_op_complete":
    case "ephemeral_op_errored": {
      const how = event.type === "ephemeral_op_complete" ? "complete" : "errored";
      const after = `${EPHEMERAL_STARTS[event.action]} ${how} after ${formatDuration(event.elapsedMs)}`;
      return hook(event, `${address}: ${after}`, [
        ["action", event.action],
        ["elapsed_seconds", seconds(event)],
      ]);
    }
    case "import_start":
    case "import_prepared":
    case "import_planned":
    case "import_apply_start":
    case "import_apply_complete":
      return undefined;
  }
}

function hook(
  { type, address }: EngineEvent,
  text: string,
  members: readonly (readonly [string, JsonTree])[],
): UiMessage {
  const told = struct([["resource", describeResource(address)], ...members]);
  return { level: "info", text, type, members: { hook: told } };
}

function idNote({ id }: { readonly id?: string }): string {
  return id ? ` [id=${id}]` : "";
}

function idMembers({ id }: { readonly id?: string }): readonly (readonly [string, JsonTree])[] {
  return id
    ? [
        ["id_key", "id"],
        ["id_value", id],
      ]
    : [];
}

function seconds({ elapsedMs }: { readonly elapsedMs: number }): number {
  return Math.round(elapsedMs / 1000);
}
