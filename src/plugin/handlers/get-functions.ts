import { rpc } from "../rpc";
import { encodeSignatures } from "../values/schema";
import { map, message } from "../wire/message";
import { empty, functionSignature } from "../wire/messages";

export const getFunctions = rpc({
  name: "GetFunctions",
  request: empty,
  response: message({ functions: map(1, functionSignature) }),
  handle: ({ provider: { definition } }) => ({
    functions: encodeSignatures(definition.functions),
  }),
});
