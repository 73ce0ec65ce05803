import { status } from "@grpc/grpc-js";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectSocket, createServer, type AddressInfo, type Socket } from "node:net";
import { applyResourceChange } from "../../src/plugin/handlers/apply-resource-change";
import { getProviderSchema } from "../../src/plugin/handlers/get-provider-schema";
import { planResourceChange } from "../../src/plugin/handlers/plan-resource-change";
import { stopProvider } from "../../src/plugin/handlers/stop-provider";
import { check, shutdown } from "./support/go-plugin";
import { rpc } from "../../src/plugin/rpc";
import { empty } from "../../src/plugin/wire/messages";
import { UNKNOWN } from "../../src/core/values";
import { aborted, serveMemory, THING, type ServedMemory } from "./support/served-memory";

let served: ServedMemory;

beforeEach(async () => {
  served = await serveMemory();
});
afterEach(() => served.close());

const planned = (name: string) => ({
  typeName: THING,
  config: served.thing.encode({ name }),
  plannedState: served.thing.encode({ name, size: 1, id: UNKNOWN, revision: UNKNOWN }),
});

describe("a configuration of a connection", () => {
  test("is separate from that of another connection", async () => {
    const [one, other] = [await served.configured(), await served.configured({ world: "other" })];
    await Promise.all([
      one.call(applyResourceChange, planned("of one")),
      other.call(applyResourceChange, planned("of the other")),
    ]);
    const names = (world: string) =>
      [...served.world(world).things.values()].map(({ name }) => name);
    expect(names("default")).toEqual(["of one"]);
    expect(names("other")).toEqual(["of the other"]);
  });

  test("does not apply to another connection, which is refused", async () => {
    await served.configured();
    await expect(
      served.connect().call(planResourceChange, {
        typeName: THING,
        config: served.thing.encode({ name: "a" }),
      }),
    ).rejects.toMatchObject({
      code: status.FAILED_PRECONDITION,
      details: 'Provider "memory" is not configured on this connection.',
    });
  });

  test("ends with the connection, which cancels calls in progress", async () => {
    const line = await throughLine(served.server.reattachment.Addr.String);
    const client = await served.configured({}, line.address);
    const held = served.holdCreation();
    const call = client.call(applyResourceChange, planned("a"));
    const gone = expect(call).rejects.toMatchObject({ code: status.UNAVAILABLE });
    const signal = await held;
    line.cut();
    await gone;
    await aborted(signal);
  });
});

/** A connection that can be cut, as by a kill of Terraform. */
async function throughLine(address: string) {
  const [host = "", port = ""] = address.split(":");
  const sockets: Socket[] = [];
  const line = createServer((near) => {
    const far = connectSocket(Number(port), host);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) sockets.push(socket.on("error", () => undefined));
  });
  await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(line.address() as AddressInfo).port}`,
    cut: () => {
      line.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test("cancels calls in progress when the server closes, and still answers", async () => {
  const client = await served.configured();
  const held = served.holdCreation();
  const call = client.call(applyResourceChange, planned("a"));
  const signal = await held;
  await served.server.close();
  expect(signal.aborted).toBe(true);
  expect(served.thing.decode((await call).newState)).toMatchObject({ name: "a" });
});

describe("StopProvider", () => {
  test("cancels calls in progress on its connection only", async () => {
    const [one, other] = [await served.configured(), await served.configured({ world: "other" })];
    const first = served.holdCreation();
    const second = served.holdCreation("other");
    const calls = [
      one.call(applyResourceChange, planned("a")),
      other.call(applyResourceChange, planned("b")),
    ];
    const [signal, otherSignal] = [await first, await second];
    await one.call(stopProvider, {});
    expect(signal.aborted).toBe(true);
    expect(otherSignal.aborted).toBe(false);
    await other.call(stopProvider, {});
    await Promise.all(calls);
  });
});

describe("calls of go-plugin", () => {
  test("report a healthy server", async () => {
    const service = "grpc.health.v1.Health";
    const answer = await served.connect().call(check, { service: "plugin" }, { service });
    expect(answer).toEqual({ status: 1 });
  });

  test("do not end a shared server when one run is done", async () => {
    const service = "plugin.GRPCController";
    const client = served.connect();
    expect(await client.call(shutdown, {}, { service })).toEqual({});
    expect((await client.call(getProviderSchema, {})).resourceSchemas).toHaveProperty(THING);
  });

  test("reject calls of a newer protocol as unimplemented", async () => {
    const newer = rpc({
      name: "GetResourceIdentitySchemas",
      request: empty,
      response: empty,
      handle: () => ({}),
    });
    const call = served.connect().call(newer, {});
    await expect(call).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });

  test("end a refused stream that its client keeps open", async () => {
    const { String: address } = served.server.reattachment.Addr;
    const session = connectHttp2(`http://${address}`);
    const call = session.request({ ":method": "POST", ":path": "/plugin.GRPCBroker/StartStream" });
    const [headers] = (await once(call, "response")) as [Record<string, string>];
    expect(headers["grpc-status"]).toBe(String(status.UNIMPLEMENTED));
    await once(call, "close");
    session.destroy();
  });

  test("close connections of other protocols", async () => {
    const [host = "", port = ""] = served.server.reattachment.Addr.String.split(":");
    const socket = connectSocket(Number(port), host);
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.write("GET / HTTP/1.1\r\n\r\n");
    socket.resume();
    await ended;
    await served.configured();
  });
});

test("accepts and sends messages of many megabytes", async () => {
  const client = await served.configured();
  const text = "x".repeat(6 * 1024 * 1024);
  const config = served.thing.encode({ name: "a", tags: { text } });
  const { plannedState } = await client.call(planResourceChange, { typeName: THING, config });
  expect(served.thing.decode(plannedState)).toMatchObject({ tags: { text } });
});

test("aborts the signal of a cancelled call", async () => {
  const client = await served.configured();
  const signals = served.holdCreation();
  const cancelling = new AbortController();
  const call = client.call(applyResourceChange, planned("a"), { signal: cancelling.signal });
  const signal = await signals;
  const gone = expect(call).rejects.toMatchObject({ code: status.CANCELLED });
  cancelling.abort();
  await gone;
  await aborted(signal);
});
