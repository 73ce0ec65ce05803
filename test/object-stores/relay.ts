import {
  createServer,
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

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
  private readonly server = createServer((request, response) => {
    void this.pass(request, response);
  });

  private constructor(private readonly port: number) {}

  static async open(port: number): Promise<Relay> {
    const relay = new Relay(port);
    await new Promise<void>((resolve) => relay.server.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
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
    const { port } = this;
    const passed = send({ port, host: "127.0.0.1", method, path: url, headers }, (answer) => {
      if (fault === "unanswered") {
        answer.resume().once("end", () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.once("error", () => request.socket.destroy());
    passed.end(Buffer.concat(chunks));
  }
}
