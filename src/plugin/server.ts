import type { Socket } from "node:net";
import type { Log } from "../core/io/log";
import type { Provider } from "../core/provider";
import type * as calls from "./calls";
import { GrpcServer, type Call, type MutualTls } from "./grpc/server";
import { GO_PLUGIN_ANSWERS, SHUTDOWN, STDIO } from "./go-plugin";
import { PROVIDER_SERVICE } from "./rpc-names";
import type { PluginSession, SessionSettings } from "./session";

const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
/** In milliseconds. Terraform waits for two seconds; cancelled calls take less. */
const PATIENCE_MS = 1500;

/** A provider with all that decodes its calls. */
export interface LoadedProvider {
  readonly provider: Provider<unknown>;
  readonly calls: Pick<typeof calls, "answer" | "openSession">;
}

interface ServerOptions extends SessionSettings {
  /** Called at the first call that needs the provider, so that the server itself starts sooner. */
  readonly load: () => Promise<LoadedProvider>;
  /** Encoded answers by path that are the same in every session, such as the schema. */
  readonly answers?: ReadonlyMap<string, Uint8Array>;
  /** Absent: without TLS. */
  readonly tls?: MutualTls;
  readonly log: Log;
  /** Called when Terraform no longer needs the process. */
  readonly onShutdown: () => void;
}

/** The session of a connection, which begins with its first call. */
interface Connection {
  session?: PluginSession;
}

/** Serves the plugin protocol on given connections. */
export class PluginServer {
  readonly #connections = new Set<Connection>();
  readonly #grpc: GrpcServer<Connection>;
  #loaded: Promise<LoadedProvider> | undefined;

  constructor(private readonly options: ServerOptions) {
    this.#grpc = new GrpcServer({
      ...(options.tls && { tls: options.tls }),
      maxMessage: MAX_MESSAGE_BYTES,
      connected: () => {
        const connection = {};
        this.#connections.add(connection);
        return connection;
      },
      disconnected: (connection) => {
        this.#connections.delete(connection);
        void end(connection);
      },
      handler: (path) => this.#handler(path),
      emptyStreams: [STDIO],
    });
  }

  /** Accepts a connection. Its session ends with it. */
  accept(socket: Socket): void {
    this.#grpc.accept(socket);
  }

  /** Cancels calls in progress and ends all connections. Resolves when the last answer is sent. */
  async close(): Promise<void> {
    await Promise.all([...[...this.#connections].map(end), this.#grpc.close(PATIENCE_MS)]);
  }

  #handler(path: string): ((call: Call<Connection>) => Promise<Uint8Array>) | undefined {
    const fixed = GO_PLUGIN_ANSWERS.get(path) ?? this.options.answers?.get(path);
    if (fixed) {
      return () => {
        if (path === SHUTDOWN) setImmediate(this.options.onShutdown);
        return Promise.resolve(fixed);
      };
    }
    return path.startsWith(`/${PROVIDER_SERVICE}/`) ? (call) => this.#run(call) : undefined;
  }

  async #run({ path, context, request, signal, send }: Call<Connection>): Promise<Uint8Array> {
    const start = performance.now();
    const { log, load } = this.options;
    try {
      const { provider, calls } = await (this.#loaded ??= load());
      const session = (context.session ??= calls.openSession(provider, log, this.options));
      const ending = AbortSignal.any([session.signal, signal]);
      return await calls.answer({ path, request }, session, ending, send);
    } finally {
      const rpc = path.slice(path.lastIndexOf("/") + 1);
      const fields = { rpc, duration_ms: Math.round(performance.now() - start) };
      log({ level: "trace", module: "plugin", message: rpc, fields });
    }
  }
}

async function end({ session }: Connection): Promise<void> {
  await session?.close();
}
