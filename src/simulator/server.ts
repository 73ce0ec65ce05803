import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { KeyedCertificate } from "./certificates";
import type { SimulatedConsole } from "./console";
import { SimulatorError } from "./errors";
import { errorResponse, type ClientCertificate, type SimulatedResponse } from "./messages";

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly identity: KeyedCertificate;
  /** Authorities of client certificates, as PEM. Default: no client certificate is requested. */
  readonly clientCa?: string | undefined;
  /** True if connections do not keep the process running. Default: false. */
  readonly background?: boolean | undefined;
  /** By path prefix: `""`, or `/tenant-0001` and so on. */
  readonly consoles: ReadonlyMap<string, SimulatedConsole>;
}

const LARGEST_BODY_BYTES = 64 * 1024 * 1024;
const GRACE_MS = 500;
/** Longer than the keep-alive of client pools, so that the client closes first. */
const KEEP_ALIVE_MS = 120_000;

/** Serves consoles over HTTPS on one port. */
export async function serveConsoles(options: ListenOptions) {
  const { host, port, identity, clientCa, consoles } = options;
  const server = createServer(
    {
      cert: identity.certificate,
      key: identity.key,
      keepAliveTimeout: KEEP_ALIVE_MS,
      ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: false }),
    },
    (request, response) => {
      answer(request, response, consoles).catch((cause: unknown) => {
        // The client has disconnected, or the simulator has a bug.
        if (request.socket.destroyed || response.headersSent) request.socket.destroy();
        else
          deliver(
            errorResponse(500, `internal error of the simulator: ${String(cause)}`),
            request,
            response,
          );
      });
    },
  );
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    if (options.background) socket.unref();
    socket.once("close", () => sockets.delete(socket));
  });
  await bind(server, host, port);
  if (options.background) server.unref();
  const { port: bound } = server.address() as AddressInfo;
  return { port: bound, close: () => close(server, sockets) };
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  try {
    await once(server.listen(port, host), "listening");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new SimulatorError("port-in-use", `Port ${port} on ${host} is in use.`, { cause });
    }
    throw new SimulatorError(
      "bad-port",
      `The simulator cannot listen on port ${port} of ${host}: ${message}.`,
      { cause },
    );
  }
}

/** Closes idle connections at once and others after half a second. */
async function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const impatient = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, GRACE_MS);
  await once(server.close(), "close");
  clearTimeout(impatient);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  consoles: ReadonlyMap<string, SimulatedConsole>,
): Promise<void> {
  const { method = "", url = "" } = request;
  const prefix = /^\/tenant-\d+(?=\/)/.exec(url)?.[0] ?? "";
  const addressed = consoles.get(prefix);
  const body = await readBody(request);
  if (addressed === undefined) {
    deliver(errorResponse(404, "no such console"), request, response);
  } else if (body === undefined) {
    deliver(errorResponse(413, "the body is too large"), request, response);
  } else {
    const path = url.slice(prefix.length);
    const { headers, socket } = request;
    const clientCertificate = clientCertificateOf(socket);
    const answered = await addressed.handle({ method, path, headers, body, clientCertificate });
    deliver(answered, request, response);
  }
}

/** Reads a body; undefined if it is too large, after skipping the rest. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= LARGEST_BODY_BYTES) chunks.push(chunk);
  }
  return length <= LARGEST_BODY_BYTES ? Buffer.concat(chunks).toString("utf8") : undefined;
}

function deliver(
  { status, headers, body, delivered }: SimulatedResponse,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (delivered === "none") {
    request.socket.destroy();
    return;
  }
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  response.writeHead(status, { ...headers, "content-length": bytes.length });
  if (delivered === "half") {
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
      request.socket.destroy();
    });
  } else {
    response.end(bytes);
  }
}

/** Cached by connection, whose certificate does not change. */
const certificates = new WeakMap<Socket, { readonly certificate: ClientCertificate | undefined }>();

function clientCertificateOf(socket: Socket): ClientCertificate | undefined {
  const known = certificates.get(socket);
  if (known) return known.certificate;
  const certificate = socket instanceof TLSSocket ? presented(socket) : undefined;
  certificates.set(socket, { certificate });
  return certificate;
}

function presented(socket: TLSSocket): ClientCertificate | undefined {
  const certificate = socket.getPeerCertificate();
  if (Object.keys(certificate).length === 0) return undefined;
  const commonName: unknown = certificate.subject.CN;
  return {
    subjectCN: typeof commonName === "string" ? commonName : undefined,
    authorized: socket.authorized,
  };
}
