import { version } from "../../../package.json";
import type { Observer } from "../../runtime/documents/events";
import { eventMessage } from "../../review/ui-stream/event-messages";
import { formatMessage, type UiMessage } from "../../review/ui-stream/message";
import { TERRAFORM_VERSION } from "../../runtime/state/state";

/** Standard output as programs read it: a JSON line a message, as of `terraform … -json`. */
export class JsonStream {
  /** Begins with the line that says whose stream it is. */
  constructor(private readonly write: (line: string) => void) {
    this.send({
      level: "info",
      text: `cdktf-console ${version}`,
      type: "version",
      members: { terraform: TERRAFORM_VERSION, cdktf_console: version, ui: "1.2" },
    });
  }

  /** `stack` is told where a run is about several. */
  send(message: UiMessage, stack?: string): void {
    this.write(formatMessage(message, new Date(), stack));
  }

  /** What has no message of its own. */
  log(text: string): void {
    const told = text.trim();
    if (told !== "") this.send({ level: "info", text: told, type: "log" });
  }

  observer(stacks: readonly string[]): Observer {
    return (event) => {
      const message = eventMessage(event);
      if (message) this.send(message, stacks.length > 1 ? event.stack : undefined);
    };
  }
}
