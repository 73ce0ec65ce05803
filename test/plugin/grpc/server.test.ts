import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { Client, credentials, status } from "@grpc/grpc-js";
import { GrpcServer, type Call } from "../../../src/plugin/grpc/server";
import { GrpcError, Status } from "../../../src/plugin/grpc/status";

/** Calls a handler; returns the messages, and the status that follows them. */
async function answersOf(handle: (call: Call<object>) => Promise<Uint8Array>) {
  const server = new GrpcServer({
    maxMessage: 1024,
    connected: () => ({}),
    disconnected: () => undefined,
    handler: () => handle,
    emptyStreams: [],
  });
  const listener = createServer((socket) => {
    server.accept(socket);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const asIs = (bytes: Buffer) => bytes;
  try {
    return await new Promise<{ messages: string[]; code: status; details: string }>((resolve) => {
      const messages: string[] = [];
      const call = client.makeServerStreamRequest("/any/Call", asIs, asIs, Buffer.from("hello"));
      call.on("data", (bytes: Buffer) => messages.push(bytes.toString()));
      call.on("error", () => undefined);
      call.on("status", ({ code, details }) => {
        resolve({ messages, code, details });
      });
    });
  } finally {
    client.close();
    await server.close(1000);
    listener.close();
  }
}

test("sends messages before the answer, in their order", async () => {
  const answered = await answersOf(({ request, send }) => {
    send(Buffer.from("one"));
    send(request);
    return Promise.resolve(Buffer.from("last"));
  });
  expect(answered).toEqual({ messages: ["one", "hello", "last"], code: status.OK, details: "" });
});

test("a failure after a message is the status of the call", async () => {
  const answered = await answersOf(({ send }) => {
    send(Buffer.from("one"));
    return Promise.reject(new GrpcError(Status.INVALID_ARGUMENT, "not so"));
  });
  expect(answered).toEqual({
    messages: ["one"],
    code: status.INVALID_ARGUMENT,
    details: "not so",
  });
});
