import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
import { field, message, optional, repeated, string } from "../wire/message";
import { diagnostic, dynamicValue } from "../wire/messages";

export const readDataSource = rpc({
  name: "ReadDataSource",
  request: message({ typeName: field(1, string), config: optional(2, dynamicValue) }),
  response: message({ state: optional(1, dynamicValue), diagnostics: repeated(2, diagnostic) }),
  handle: async (session, { typeName, config: encoded }, signal) => {
    const { attributes, type } = session.dataSource(typeName);
    const { connection } = session;
    const values = new DynamicValues();
    const config = values.decodeObject(type, encoded) ?? {};
    const read = await session.provider.readDataSource(typeName, config, { connection, signal });
    return {
      state: values.encode(type, read.state),
      diagnostics: encodeDiagnostics(attributes, read.diagnostics),
    };
  },
});
