import {
  createServer,
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer, request as sendEncrypted } from "node:https";
import type { AddressInfo } from "node:net";
import type { Keyed } from "../api/support/certificates";

/**
 * The fate of a request: `lost` = it does not arrive, `unanswered` = its answer is lost, `broken`
 * = the connection breaks in the middle of it, a number = the status of an answer in its place.
 */
export type Fault = "lost" | "unanswered" | "broken" | number | undefined;

/** Passes requests on to a server, some of them with a fault. */
export class Relay {
  /** `PUT /states/a`, in order. */
  readonly requests: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** Decides about each request. */
  fault: (request: string) => Fault | Promise<Fault> = () => undefined;
  private readonly awaited = new Map<number, () => void>();
  private readonly server;

  private constructor(
    private readonly port: number,
    private readonly tls: Keyed | undefined,
  ) {
    const pass = (request: IncomingMessage, response: ServerResponse) => {
      void this.pass(request, response);
    };
    this.server = tls ? createTlsServer(tls, pass) : createServer(pass);
  }

  /** @param tls The certificate of the relay and of the server. Default: neither has TLS. */
  static async open(port: number, tls?: Keyed): Promise<Relay> {
    const relay = new Relay(port, tls);
    await new Promise<void>((resolve) => relay.server.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${this.ownPort}`;
  }

  get ownPort(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The next of the requests that match has this fault. */
  once(pattern: RegExp, fault: Fault): void {
    let left = 1;
    this.fault = (request) => (pattern.test(request) && left-- > 0 ? fault : undefined);
  }

  /** Resolves at the request with this number, counted from 1. */
  at(count: number): Promise<void> {
    return new Promise((resolve) => this.awaited.set(count, resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "/", headers } = request;
    const name = `${method} ${decodeURIComponent(url)}`;
    this.requests.push(name);
    this.headers.push(headers);
    this.awaited.get(this.requests.length)?.();
    const chunks: Buffer[] = [];
    request.on("error", () => undefined);
    const fault = await this.fault(name);
    if (fault === "broken") {
      request.socket.destroy();
      return;
    }
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (fault === "lost") {
      request.socket.destroy();
      return;
    }
    if (typeof fault === "number") {
      response.writeHead(fault).end();
      return;
    }
    const { port, tls } = this;
    const target = { port, host: "127.0.0.1", method, path: url, headers };
    const take = (answer: IncomingMessage) => {
      if (fault === "unanswered") {
        answer.resume().once("end", () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    };
    // The name of the certificate is that of the service; the client checks it.
    const passed = tls
      ? sendEncrypted({ ...target, rejectUnauthorized: false }, take)
      : send(target, take);
    passed.once("error", () => request.socket.destroy());
    passed.end(Buffer.concat(chunks));
  }
}
