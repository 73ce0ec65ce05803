import { rpc } from "../rpc";
import { field, message, optional, string } from "../wire/message";
import { configuredBlock, diagnosticsOnly } from "../wire/messages";

/** Answers with a stream: messages about the progress, then the result. */
export const invokeAction = rpc({
  name: "InvokeAction",
  request: configuredBlock,
  /** An event is one of the two. */
  response: message({
    progress: optional(1, message({ message: field(1, string) })),
    completed: optional(2, diagnosticsOnly),
  }),
  handle: async (session, { typeName, config: encoded }, signal, send) => {
    const codec = session.action(typeName);
    const config = codec.decodeConfig(encoded);
    const call = session.call(signal);
    const diagnostics = await session.provider.actions.invoke(typeName, config, {
      ...call,
      progress: (text) => {
        call.progress?.(text);
        send({ progress: { message: text } });
      },
    });
    return { completed: { diagnostics: codec.diagnostics(diagnostics) } };
  },
});
