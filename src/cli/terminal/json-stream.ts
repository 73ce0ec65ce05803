import { version } from "../../../package.json";
import type { Observer } from "../../runtime/documents/events";
import { eventMessage } from "../../review/ui-stream/event-messages";
import { formatMessage, type UiMessage } from "../../review/ui-stream/message";
import { TERRAFORM_VERSION } from "../../runtime/state/state";

/** JSON lines on standard output, as `terraform … -json` prints them. */
export class JsonStream {
  /** Starts with the version message. */
  constructor(private readonly write: (line: string) => void) {
    this.send({
      level: "info",
      text: `cdktf-console ${version}`,
      type: "version",
      members: { terraform: TERRAFORM_VERSION, cdktf_console: version, ui: "1.2" },
    });
  }

  /** @param stack - name of the message's stack, in runs of several stacks */
  send(message: UiMessage, stack?: string): void {
    this.write(formatMessage(message, new Date(), stack));
  }

  /** Sends text that has no message type, if it is not blank. */
  log(text: string): void {
    const trimmed = text.trim();
    if (trimmed !== "") this.send({ level: "info", text: trimmed, type: "log" });
  }

  observer(stacks: readonly string[]): Observer {
    return (event) => {
      const message = eventMessage(event);
      if (message) this.send(message, stacks.length > 1 ? event.stack : undefined);
    };
  }
}
