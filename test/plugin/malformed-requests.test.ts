import { status } from "@grpc/grpc-js";
import { handlers } from "../../src/plugin/handlers";
import { configureProvider } from "../../src/plugin/handlers/configure-provider";
import { planResourceChange } from "../../src/plugin/handlers/plan-resource-change";
import { MalformedMessageError } from "../../src/plugin/call-errors";
import { PluginSession } from "../../src/plugin/session";
import { bytes } from "../../src/plugin/wire/message";
import { cwpProvider } from "../../src/provider/cwp-provider";
import { Provider } from "../../src/core/provider";
import { serveMemory } from "./support/served-memory";

const { signal } = new AbortController();
const session = () => new PluginSession(new Provider(cwpProvider), () => undefined);

test.each(handlers)("$name refuses bytes that are no message", async (rpc) => {
  const answered = Promise.resolve().then(() =>
    rpc.answer(session(), Buffer.from("0a05ff", "hex"), signal),
  );
  await expect(answered).rejects.toThrow(MalformedMessageError);
});

test("a malformed request is the client's fault", async () => {
  const served = await serveMemory();
  try {
    const call = {
      ...planResourceChange,
      request: { ...bytes, encode: (raw: Uint8Array) => raw, decode: (raw: Uint8Array) => raw },
    };
    await expect(served.connect().call(call, Buffer.from("0a05ff", "hex"))).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
    });
  } finally {
    await served.close();
  }
});

test("a provider block without a value is configured from the environment", async () => {
  const answer = await configureProvider.answer(session(), new Uint8Array(0), signal);
  expect(configureProvider.response.decode(answer).diagnostics).not.toEqual([]);
});
