import { rpc } from "../rpc";
import { message, optional, repeated } from "../wire/message";
import { configuredBlock, diagnostic, dynamicValue } from "../wire/messages";

export const readDataSource = rpc({
  name: "ReadDataSource",
  request: configuredBlock,
  response: message({ state: optional(1, dynamicValue), diagnostics: repeated(2, diagnostic) }),
  handle: async (session, { typeName, config }, signal) => {
    const codec = session.dataSource(typeName);
    const call = session.call(signal);
    const read = await session.provider.readDataSource(typeName, codec.decodeConfig(config), call);
    return { state: codec.encode(read.state), diagnostics: codec.diagnostics(read.diagnostics) };
  },
});
