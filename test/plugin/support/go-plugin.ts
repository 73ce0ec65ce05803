import { field, int64, message, string } from "../../../src/plugin/wire/message";
import { empty } from "../../../src/plugin/wire/messages";

/** Calls of go-plugin with their messages. */
export const check = {
  name: "Check",
  request: message({ service: field(1, string) }),
  response: message({ status: field(1, int64) }),
};
export const shutdown = { name: "Shutdown", request: empty, response: empty };
