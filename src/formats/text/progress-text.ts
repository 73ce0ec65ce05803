import type { EngineEvent } from "../../core/documents/events";
import { printable, quote, rendered, type Printable } from "../../core/printed";
import type { Style } from "./style";

/** Longer IDs are shortened in lines that repeat. */
const MOST_ID_CHARACTERS = 80;

/** The verb for a running action, and the noun for its end. */
type ActionWords = readonly [doing: string, noun: string];

const ACTION_WORDS = {
  create: ["Creating", "Creation"],
  update: ["Modifying", "Modifications"],
  delete: ["Destroying", "Destruction"],
  open: ["Opening", "Opening"],
  renew: ["Renewing", "Renewing"],
  close: ["Closing", "Closing"],
} as const satisfies Record<string, ActionWords>;

const READ: ActionWords = ["Reading", "Read"];

/**
 * Returns the line that Terraform prints for an event; undefined for an event that it does not
 * print, such as an error, which is reported as a diagnostic.
 */
export function renderEvent(event: EngineEvent, style: Style): Printable | undefined {
  const text = eventText(event, style);
  return text === undefined ? undefined : rendered(text);
}

function eventText(event: EngineEvent, style: Style): string | undefined {
  const deposed =
    event.deposed === undefined ? "" : ` (deposed object ${printable(event.deposed)})`;
  const address = printable(event.address) + deposed;
  const say = (text: string) => style.bold(`${address}: ${text}`);
  switch (event.type) {
    case "import_start":
      return say(`Importing from ID ${quote(event.id)}...`);
    case "import_prepared":
      return (
        style.bold(style.green(`${address}: Import prepared!`)) +
        `\n${style.green(`  Prepared ${printable(event.resourceType)} for import`)}`
      );
    case "import_planned":
      return say(`Preparing import...${idNote(event, printable)}`);
    case "import_apply_start":
      return say(`Importing...${idNote(event, printable)}`);
    case "import_apply_complete":
      return say(`Import complete${idNote(event, printable)}`);
    case "apply_progress": {
      const id = event.id ? [`id=${shorten(printable(event.id))}`] : [];
      const message = event.message ? [printable(event.message)] : [];
      const details = [...id, `${formatDuration(event.elapsedMs)} elapsed`, ...message];
      return say(`${describeEvent(event, READ)} [${details.join(", ")}]`);
    }
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
    case "refresh_start":
    case "apply_start":
    case "apply_complete":
    case "ephemeral_op_start":
    case "ephemeral_op_complete":
    case "provision_start":
      return say(describeEvent(event, READ, printable));
  }
}

/** The events that Terraform describes with the same words in its text and in its stream. */
export type DescribedEvent = Exclude<
  EngineEvent,
  { type: `import_${string}` | "provision_progress" }
>;

/**
 * Describes an event without its address.
 *
 * @param read The words for reading, in which Terraform's text and stream differ.
 * @param show Makes an ID printable.
 */
export function describeEvent(
  event: DescribedEvent,
  read: ActionWords,
  show = (id: string) => id,
): string {
  const [doing, noun] =
    "action" in event && event.action !== "read" ? ACTION_WORDS[event.action] : read;
  switch (event.type) {
    case "refresh_start":
      return `Refreshing state...${idNote(event, show)}`;
    case "refresh_complete":
      return `Refresh complete${idNote(event, show)}`;
    case "apply_start":
      return `${doing}...${idNote(event, show)}`;
    case "apply_progress":
      return `Still ${doing.toLowerCase()}...`;
    case "apply_complete":
      return `${noun} complete after ${formatDuration(event.elapsedMs)}${idNote(event, show)}`;
    case "ephemeral_op_start":
      return `${doing}...`;
    case "ephemeral_op_complete":
      return `${noun} complete after ${formatDuration(event.elapsedMs)}`;
    case "apply_errored":
    case "ephemeral_op_errored":
      return `${noun} errored after ${formatDuration(event.elapsedMs)}`;
    case "provision_start":
      return `Provisioning with '${event.provisioner}'...`;
    case "provision_complete":
      return `(${event.provisioner}) Provisioning complete`;
    case "provision_errored":
      return `(${event.provisioner}) Provisioning errored`;
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

function idNote({ id }: { readonly id?: string }, show: (id: string) => string): string {
  return id ? ` [id=${show(id)}]` : "";
}

function shorten(id: string): string {
  const characters = Array.from(id);
  if (characters.length <= MOST_ID_CHARACTERS) return id;
  const half = MOST_ID_CHARACTERS / 2 - 1;
  return `${characters.slice(0, half).join("")}...${characters.slice(-half).join("")}`;
}
