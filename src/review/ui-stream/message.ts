import { formatJson, struct, type JsonTree } from "../../runtime/state/format-json";
import { parseAddress } from "../../runtime/state/address";

/** What one line of the stream says, but for when. */
export interface UiMessage {
  readonly level: "info" | "warn" | "error";
  readonly text: string;
  readonly type: string;
  /** Beside `type`: `hook`, `change`, `changes`, `outputs`, `diagnostic`. */
  readonly members?: { readonly [name: string]: JsonTree };
}

/**
 * One line of what Terraform prints with `-json`, without its line break. `stack` stands in it where
 * a run is about several.
 */
export function formatMessage(message: UiMessage, time: Date, stack?: string): string {
  return formatJson({
    "@level": message.level,
    "@message": message.text,
    "@module": "terraform.ui",
    // As many digits as Terraform writes.
    "@timestamp": time.toISOString().replace("Z", "000Z"),
    ...message.members,
    ...(stack !== undefined && { stack }),
    type: message.type,
  });
}

/** `resource` as the stream describes one. */
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
