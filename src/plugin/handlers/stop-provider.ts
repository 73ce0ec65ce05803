import { rpc } from "../rpc";
import { field, message, string } from "../wire/message";
import { empty } from "../wire/messages";

export const stopProvider = rpc({
  name: "StopProvider",
  request: empty,
  response: message({ error: field(1, string) }),
  handle: (session) => {
    session.stop();
    return {};
  },
});
