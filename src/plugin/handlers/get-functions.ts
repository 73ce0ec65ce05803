import { rpc } from "../rpc";
import { encodeSignature } from "../schema";
import { map, message } from "../wire/message";
import { empty, functionSignature } from "../wire/messages";

export const getFunctions = rpc({
  name: "GetFunctions",
  request: empty,
  response: message({ functions: map(1, functionSignature) }),
  handle: ({ provider: { functions } }) => ({
    functions: Object.fromEntries(
      functions.definitions.map((one) => [one.name, encodeSignature(one)]),
    ),
  }),
});
