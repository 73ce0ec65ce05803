import { X509Certificate } from "node:crypto";
import {
  constants,
  createSecureServer,
  createServer,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { frame, readMessage } from "./frames";
import { GrpcError, Status } from "./status";

/** Certificates as PEM. Clients without `clientCertificate` are refused. */
export interface MutualTls {
  readonly key: string;
  readonly certificate: string;
  readonly clientCertificate: string;
}

/** A call: `/service/method` with one request and one answer, or a stream of answers. */
export interface Call<Context> {
  readonly path: string;
  /** The context of the connection of the call. */
  readonly context: Context;
  readonly request: Buffer;
  /** Aborted when the client cancels the call, or is gone. */
  readonly signal: AbortSignal;
  /** Sends a message before the answer, which is the last one. */
  readonly send: (message: Uint8Array) => void;
}

export interface GrpcOptions<Context> {
  /** Absent: without TLS. */
  readonly tls?: MutualTls;
  /** In bytes. */
  readonly maxMessage: number;
  /** Called for each connection. */
  readonly connected: () => Context;
  readonly disconnected: (context: Context) => void;
  /** Returns the handler of a call; undefined if there is none. It may reject with a `GrpcError`. */
  readonly handler: (path: string) => ((call: Call<Context>) => Promise<Uint8Array>) | undefined;
  /** Paths whose answer is a stream that stays open and empty. */
  readonly emptyStreams: readonly string[];
}

/** So that messages of megabytes need few round trips. */
const WINDOW_BYTES = 2 ** 22;

/**
 * A server of gRPC calls with one request, over given connections. Every connection has a context,
 * which ends with it.
 */
export class GrpcServer<Context> {
  readonly #server: Http2Server;
  readonly #contexts = new Map<Http2Session, Context>();
  readonly #streams = new Set<ServerHttp2Stream>();
  readonly #sockets = new Set<Socket>();

  constructor(private readonly options: GrpcOptions<Context>) {
    const settings = { settings: { initialWindowSize: WINDOW_BYTES }, maxSessionMemory: 2 ** 20 };
    const { tls } = options;
    this.#server = tls
      ? createSecureServer({
          ...settings,
          key: tls.key,
          cert: tls.certificate,
          // With an authority, Node would first read its root certificates, which takes about 20 ms.
          ca: [],
          requestCert: true,
          rejectUnauthorized: false,
        })
      : createServer(settings);
    const client = tls && new X509Certificate(tls.clientCertificate);
    this.#server.on("session", (session) => {
      if (client && !isFrom(session, client)) session.destroy();
      else this.#open(session);
    });
    this.#server.on("stream", (stream, headers) => {
      void this.#answer(stream, headers);
    });
    // A client that is gone, or that speaks another protocol: its connection is closed.
    this.#server.on("sessionError", () => undefined);
  }

  accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#sockets.delete(socket));
    this.#server.emit("connection", socket);
  }

  /** Resolves when all calls are answered and all connections are closed, at most after `patience` ms. */
  async close(patience: number): Promise<void> {
    const closed = [...this.#sockets].map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.once("close", () => {
            resolve();
          });
        }),
    );
    for (const stream of this.#streams) {
      stream.end(() => {
        stream.close(constants.NGHTTP2_NO_ERROR);
      });
    }
    for (const session of this.#contexts.keys()) session.close();
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, patience);
    await Promise.all(closed);
    clearTimeout(timer);
  }

  #open(session: Http2Session): void {
    const context = this.options.connected();
    this.#contexts.set(session, context);
    session.setLocalWindowSize(WINDOW_BYTES);
    session.on("error", () => undefined);
    session.once("close", () => {
      this.#contexts.delete(session);
      this.options.disconnected(context);
    });
  }

  async #answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const cancelled = new AbortController();
    stream.on("error", () => undefined);
    stream.once("close", () => {
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR || !stream.writableFinished) {
        cancelled.abort(new Error("the call was cancelled"));
      }
    });
    const path = String(headers[":path"]);
    if (this.options.emptyStreams.includes(path)) {
      this.#keepOpen(stream);
      return;
    }
    try {
      const answer = await this.#handle(stream, path, cancelled.signal);
      if (stream.destroyed) return;
      begin(stream);
      stream.end(frame(answer));
    } catch (failure) {
      refuse(stream, failure);
    }
  }

  async #handle(stream: ServerHttp2Stream, path: string, signal: AbortSignal): Promise<Uint8Array> {
    const handler = this.options.handler(path);
    if (!handler) throw new GrpcError(Status.UNIMPLEMENTED, `The server has no call ${path}.`);
    const context = stream.session && this.#contexts.get(stream.session);
    if (context === undefined) throw new GrpcError(Status.INTERNAL, "The connection is closed.");
    const request = await readMessage(stream, this.options.maxMessage);
    const send = (message: Uint8Array) => {
      if (stream.destroyed) return;
      begin(stream);
      stream.write(frame(message));
    };
    return handler({ path, context, request, signal, send });
  }

  #keepOpen(stream: ServerHttp2Stream): void {
    this.#streams.add(stream);
    stream.once("close", () => this.#streams.delete(stream));
    stream.resume();
    begin(stream);
  }
}

/** Reports whether the other side of a session has this very certificate, and its key. */
function isFrom({ socket }: Http2Session, { raw }: X509Certificate): boolean {
  return socket instanceof TLSSocket && socket.getPeerX509Certificate()?.raw.equals(raw) === true;
}

const HEADERS = { ":status": 200, "content-type": "application/grpc" } as const;

/** Sends the headers, once; the status follows the last message. */
function begin(stream: ServerHttp2Stream): void {
  if (stream.headersSent) return;
  stream.respond(HEADERS, { waitForTrailers: true });
  stream.once("wantTrailers", () => {
    stream.sendTrailers({ "grpc-status": String(Status.OK) });
  });
}

/** Any other error is a bug, of which the client shows the stack trace. */
function refuse(stream: ServerHttp2Stream, failure: unknown): void {
  if (stream.destroyed) return;
  const code = failure instanceof GrpcError ? failure.code : Status.INTERNAL;
  const text = failure instanceof GrpcError ? failure.message : traceOf(failure);
  const status = { "grpc-status": String(code), "grpc-message": encodeURIComponent(text) };
  if (stream.headersSent) {
    stream.removeAllListeners("wantTrailers");
    stream.once("wantTrailers", () => {
      stream.sendTrailers(status);
    });
    stream.end();
    return;
  }
  stream.respond({ ...HEADERS, ...status }, { endStream: true });
  // The client may still send, and the connection would wait for that when it is closed.
  stream.close(constants.NGHTTP2_NO_ERROR);
}

function traceOf(failure: unknown): string {
  return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
}
