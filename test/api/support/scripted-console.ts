import { ConsoleClient } from "../../../src/api/client";
import type { ClientOptions } from "../../../src/api/client-options";
import type { Transport, TransportRequest } from "../../../src/api/http/transport";

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, an object as JSON. */
  readonly body?: string | object;
}

export type Handler = (request: TransportRequest, number: number) => Answer | Promise<Answer>;

/** Creates a client with the handler as transport and a clock that only sleeping advances. */
export function scripted(handler: Handler, options: Partial<ClientOptions> = {}) {
  const requests: TransportRequest[] = [];
  const slept: number[] = [];
  let time = 0;
  const transport: Transport = async (request) => {
    requests.push(request);
    const { status = 200, headers = {}, body = "" } = await handler(request, requests.length);
    return {
      status,
      headers,
      body: chunks(typeof body === "string" ? body : JSON.stringify(body)),
    };
  };
  const client = new ConsoleClient({
    baseUrl: "console",
    credentials: { method: "basic", username: "admin", password: "canary-password" },
    transport,
    now: () => time,
    sleep: (milliseconds) => {
      slept.push(milliseconds);
      time += milliseconds;
      return Promise.resolve();
    },
    random: () => 0.5,
    ...options,
  });
  const calls = () => requests.map(({ method, path }) => `${method} ${path}`);
  return { client, requests, calls, slept, advance: (by: number) => (time += by) };
}

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 7) {
    await Promise.resolve();
    yield bytes.subarray(at, at + 7);
  }
}
