import type { EngineEvent, Operation } from "../../runtime/documents/events";
import { printable, quote } from "./quote";
import type { Style } from "./style";

/** IDs longer than this are shortened in the lines that repeat. */
const LONGEST_ID = 80;

/** The line that Terraform prints for what happens; undefined where it prints none. */
export function renderEvent(event: EngineEvent, style: Style): string | undefined {
  const deposed =
    event.deposed === undefined ? "" : ` (deposed object ${printable(event.deposed)})`;
  const address = printable(event.address) + deposed;
  const say = (text: string) => style.bold(`${address}: ${text}`);
  switch (event.type) {
    case "refresh_start":
      return say(`Refreshing state...${idSuffix(event.id)}`);
    case "import_start":
      return say(`Importing from ID ${quote(event.id)}...`);
    case "import_prepared":
      return (
        style.bold(style.green(`${address}: Import prepared!`)) +
        `\n${style.green(`  Prepared ${printable(event.resourceType)} for import`)}`
      );
    case "import_planned":
      return say(`Preparing import...${idSuffix(event.id)}`);
    case "import_apply_start":
      return say(`Importing...${idSuffix(event.id)}`);
    case "import_apply_complete":
      return say(`Import complete${idSuffix(event.id)}`);
    case "apply_start":
      return say(`${STARTS[event.action]}...${idSuffix(event.id)}`);
    case "apply_progress":
      return say(`Still ${CONTINUES[event.action]}... [${progress(event)}]`);
    case "apply_complete": {
      const after = formatDuration(event.elapsedMs);
      return say(`${COMPLETES[event.action]} complete after ${after}${idSuffix(event.id)}`);
    }
    case "ephemeral_op_start":
      return say(`${EPHEMERAL_STARTS[event.action]}...`);
    case "ephemeral_op_complete": {
      const after = formatDuration(event.elapsedMs);
      return say(`${EPHEMERAL_STARTS[event.action]} complete after ${after}`);
    }
    case "provision_start":
      return say(`Provisioning with '${event.provisioner}'...`);
    case "provision_progress": {
      const line = printable(event.line.trimEnd());
      return line === ""
        ? undefined
        : `${style.bold(`${address} (${event.provisioner}):`)} ${line}`;
    }
    case "refresh_complete":
    case "apply_errored":
    case "ephemeral_op_errored":
    case "provision_complete":
    case "provision_errored":
      return undefined;
  }
}

/** `1m5s`, as Go prints durations. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = [
    ...(hours > 0 ? [`${hours}h`] : []),
    ...(seconds >= 60 ? [`${minutes}m`] : []),
    `${seconds % 60}s`,
  ];
  return parts.join("");
}

const STARTS: Readonly<Record<Operation, string>> = {
  create: "Creating",
  read: "Reading",
  update: "Modifying",
  delete: "Destroying",
};

/** Of the steps of an ephemeral resource. */
export const EPHEMERAL_STARTS = { open: "Opening", renew: "Renewing", close: "Closing" } as const;

const CONTINUES: Readonly<Record<Operation, string>> = {
  create: "creating",
  read: "reading",
  update: "modifying",
  delete: "destroying",
};

const COMPLETES: Readonly<Record<Operation, string>> = {
  create: "Creation",
  read: "Read",
  update: "Modifications",
  delete: "Destruction",
};

function idSuffix(id: string | undefined): string {
  return id ? ` [id=${printable(id)}]` : "";
}

function progress(event: Extract<EngineEvent, { type: "apply_progress" }>): string {
  const id = event.id ? [`id=${shorten(printable(event.id))}`] : [];
  const message = event.message ? [printable(event.message)] : [];
  return [...id, `${formatDuration(event.elapsedMs)} elapsed`, ...message].join(", ");
}

function shorten(id: string): string {
  const characters = Array.from(id);
  if (characters.length <= LONGEST_ID) return id;
  const half = LONGEST_ID / 2 - 1;
  return `${characters.slice(0, half).join("")}...${characters.slice(-half).join("")}`;
}
