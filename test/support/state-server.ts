import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface StoredState {
  body?: Buffer;
  lock?: { readonly ID: string };
}

/**
 * Serves states by the protocol of Terraform's http backend, with locks, as GitLab does: an update
 * under another lock than its own is refused. `POST NAME/lock` and `DELETE NAME/lock` do
 * what LOCK and UNLOCK do.
 */
export class StateServer {
  /** `PUT /prod`, in order. */
  readonly requests: string[] = [];
  /** Answers for the next requests, instead of the usual ones: a status, or "drop". */
  readonly faults: (number | "drop")[] = [];
  readonly updates: Buffer[] = [];
  /** Answers to all requests of a method, instead of the usual ones. */
  readonly answers = new Map<string, { readonly status: number; readonly answer?: string }>();
  /** Answers every update with 500. */
  refusesUpdates = false;
  private readonly awaited = new Map<number, () => void>();
  private readonly states = new Map<string, StoredState>();
  private readonly server = createServer((request, response) => {
    void this.answer(request, response);
  });

  private constructor(private readonly credentials?: string) {}

  /** @param credentials `user:password`; without them everyone may write. */
  static async open(credentials?: string): Promise<StateServer> {
    const server = new StateServer(credentials);
    await new Promise<void>((resolve) => server.server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  url(name = "prod"): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}`;
  }

  /** The `backend` block for a state with locks. */
  backend(name = "prod") {
    const url = this.url(name);
    return {
      http: {
        address: url,
        lock_address: url,
        unlock_address: url,
        retry_wait_min: 0,
        retry_wait_max: 0,
      },
    };
  }

  json(name = "prod"): { serial: number; lineage: string; resources: { type: string }[] } {
    return JSON.parse(this.text(name)) as ReturnType<StateServer["json"]>;
  }

  text(name = "prod"): string {
    return this.states.get(`/${name}`)?.body?.toString("utf8") ?? "";
  }

  put(text: string, name = "prod"): void {
    this.state(`/${name}`).body = Buffer.from(text);
  }

  /** Resolves at the request with this number, counted from 1. */
  at(count: number): Promise<void> {
    return new Promise((resolve) => this.awaited.set(count, resolve));
  }

  lockedBy(name = "prod"): string | undefined {
    return this.state(`/${name}`).lock?.ID;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private state(path: string): StoredState {
    const known = this.states.get(path) ?? {};
    this.states.set(path, known);
    return known;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const { method = "" } = request;
    this.requests.push(`${method} ${url.pathname}`);
    this.awaited.get(this.requests.length)?.();
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const fault = this.faults.shift();
    if (fault === "drop") {
      request.socket.destroy();
      return;
    }
    const { status, answer } =
      fault === undefined
        ? (this.answers.get(method) ??
          this.handle(method, url, body, request.headers.authorization))
        : { status: fault, answer: undefined };
    response.writeHead(status).end(answer);
  }

  private handle(
    method: string,
    url: URL,
    body: Buffer,
    authorization: string | undefined,
  ): { status: number; answer?: Buffer | string } {
    const expected = this.credentials && Buffer.from(this.credentials).toString("base64");
    if (expected !== undefined && authorization !== `Basic ${expected}`) return { status: 401 };
    const lock = /^(?<name>.*)\/lock$/.exec(url.pathname)?.groups;
    if (lock) {
      const own = new URL(lock.name ?? "", url);
      return this.handle(method === "POST" ? "LOCK" : "UNLOCK", own, body, authorization);
    }
    const state = this.state(url.pathname);
    switch (method) {
      case "GET":
        return state.body ? { status: 200, answer: state.body } : { status: 404 };
      case "POST":
        if (this.refusesUpdates) return { status: 500 };
        if (state.lock && url.searchParams.get("ID") !== state.lock.ID) return { status: 409 };
        state.body = body;
        this.updates.push(body);
        return { status: 200 };
      case "DELETE":
        if (state.lock && url.searchParams.get("ID") !== state.lock.ID) return { status: 409 };
        delete state.body;
        return { status: 200 };
      case "LOCK":
        if (state.lock) return { status: 423, answer: JSON.stringify(state.lock) };
        state.lock = JSON.parse(body.toString("utf8")) as { ID: string };
        return { status: 200 };
      case "UNLOCK":
        delete state.lock;
        return { status: 200 };
      default:
        return { status: 405 };
    }
  }
}
