import {
  Server,
  status,
  type ConnectionInjector,
  type handleUnaryCall,
  type sendUnaryData,
  type ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
} from "@grpc/grpc-js";
import type { Socket } from "node:net";
import type { Log } from "../provider/log";
import type { Provider } from "../provider/provider";
import { MalformedMessageError, MalformedValueError, RefusedCallError } from "./call-errors";
import { handlers } from "./handlers";
import { rpc, type Rpc } from "./rpc";
import { Sessions } from "./session";
import { field, int64, message, string } from "./wire/message";
import { empty } from "./wire/messages";

/* The calls that every plugin of HashiCorp's go-plugin serves. */

const SERVING = 1;

/** `grpc.health.v1.Health`: a server that responds is healthy. */
export const check = rpc({
  name: "Check",
  request: message({ service: field(1, string) }),
  response: message({ status: field(1, int64) }),
  handle: () => ({ status: SERVING }),
});

/** `plugin.GRPCController`: without it every command of Terraform waits for two seconds. */
export const shutdown = rpc({
  name: "Shutdown",
  request: empty,
  response: empty,
  handle: () => ({}),
});

/**
 * `plugin.GRPCStdio`: a stream of the plugin's output. It stays open and empty, since logs go to
 * standard error, which Terraform reads.
 */
const streamStdio = { name: "StreamStdio" } as const;

const MAX_MESSAGE = 256 * 1024 * 1024;
/** In milliseconds. Terraform waits for two seconds; cancelled calls take less. */
const PATIENCE = 1500;

interface ServerOptions {
  /** Loads the provider, at the first call. */
  readonly provider: () => Promise<Provider<unknown>>;
  readonly credentials: ServerCredentials;
  readonly log: Log;
  /** Called when Terraform no longer needs the process. */
  readonly onShutdown: () => void;
}

/** Serves the plugin protocol on given connections. */
export class PluginServer {
  readonly #grpc = new Server({
    "grpc.max_receive_message_length": MAX_MESSAGE,
    "grpc.max_send_message_length": MAX_MESSAGE,
  });
  readonly #injector: ConnectionInjector;
  readonly #sessions: Sessions;
  readonly #streams = new Set<ServerWritableStream<Buffer, Buffer>>();
  readonly #sockets = new Set<Socket>();

  constructor(private readonly options: ServerOptions) {
    this.#sessions = new Sessions(options.provider, options.log);
    this.#serve("tfplugin6.Provider", handlers);
    this.#serve("grpc.health.v1.Health", [check]);
    this.#serve("plugin.GRPCController", [shutdown], options.onShutdown);
    this.#grpc.addService(serviceOf("plugin.GRPCStdio", [streamStdio], { responseStream: true }), {
      [streamStdio.name]: (stream: ServerWritableStream<Buffer, Buffer>) => {
        this.#streams.add(stream);
        stream.once("cancelled", () => this.#streams.delete(stream));
      },
    });
    this.#injector = this.#grpc.createConnectionInjector(options.credentials);
  }

  /** Accepts a connection. Its session ends with it, if it has an address. */
  accept(socket: Socket): void {
    const { remoteAddress, remotePort } = socket;
    socket.on("error", () => socket.destroy());
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    if (remoteAddress !== undefined && remotePort !== undefined) {
      socket.once("close", () => void this.#sessions.end(`${remoteAddress}:${remotePort}`));
    }
    this.#injector.injectConnection(socket);
  }

  /**
   * Cancels calls in progress and ends all connections. Resolves when the last answer is sent,
   * which may be later than gRPC reports.
   */
  async close(): Promise<void> {
    const closed = [this.#sessions.endAll(), ...[...this.#sockets].map(closing)];
    for (const stream of this.#streams) stream.end();
    const timer = setTimeout(() => {
      this.#grpc.forceShutdown();
      for (const socket of this.#sockets) socket.destroy();
    }, PATIENCE);
    await new Promise<void>((resolve) => {
      this.#grpc.tryShutdown(() => {
        resolve();
      });
    });
    await Promise.all(closed);
    clearTimeout(timer);
  }

  #serve(service: string, rpcs: readonly Rpc[], answered?: () => void): void {
    const handlerOf =
      (rpc: Rpc): handleUnaryCall<Buffer, Buffer> =>
      (call, respond) =>
        void this.#run(rpc, call, respond).then(answered);
    const implementation = Object.fromEntries(rpcs.map((rpc) => [rpc.name, handlerOf(rpc)]));
    this.#grpc.addService(serviceOf(service, rpcs), implementation);
  }

  async #run(
    rpc: Rpc,
    call: ServerUnaryCall<Buffer, Buffer>,
    respond: sendUnaryData<Buffer>,
  ): Promise<void> {
    const start = performance.now();
    const cancelled = new AbortController();
    call.once("cancelled", () => {
      cancelled.abort(new Error("the call was cancelled"));
    });
    try {
      const session = await this.#sessions.of(call.getPeer());
      const signal = AbortSignal.any([session.signal, cancelled.signal]);
      respond(null, Buffer.from(await rpc.answer(session, call.request, signal)));
    } catch (failure) {
      respond(statusOf(failure));
    }
    this.options.log({
      level: "trace",
      module: "plugin",
      message: rpc.name,
      fields: { rpc: rpc.name, duration_ms: Math.round(performance.now() - start) },
    });
  }
}

function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once("close", () => {
      resolve();
    });
  });
}

/** The calls encode and decode their messages themselves. */
const asTheyAre = (bytes: Buffer) => bytes;

function serviceOf(service: string, rpcs: readonly { readonly name: string }[], stream = {}) {
  return Object.fromEntries(
    rpcs.map(({ name }) => [
      name,
      {
        path: `/${service}/${name}`,
        requestStream: false,
        responseStream: false,
        requestSerialize: asTheyAre,
        requestDeserialize: asTheyAre,
        responseSerialize: asTheyAre,
        responseDeserialize: asTheyAre,
        ...stream,
      },
    ]),
  );
}

/** The message of a refused call, or the stack trace of a bug. */
function statusOf(failure: unknown): { readonly code: status; readonly details: string } {
  if (failure instanceof RefusedCallError) {
    return { code: status.FAILED_PRECONDITION, details: failure.message };
  }
  if (failure instanceof MalformedValueError || failure instanceof MalformedMessageError) {
    return { code: status.INVALID_ARGUMENT, details: failure.message };
  }
  const trace = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  return { code: status.INTERNAL, details: trace };
}
