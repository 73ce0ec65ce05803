import { Agent, request } from "undici";
import type { KeyedCertificate } from "../../src/simulator";

export interface Call {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly authorization?: string;
  readonly body?: unknown;
}

/** Creates a client that verifies the server, keeps its connections and may send a certificate. */
export function httpsClient(ca: string, client?: KeyedCertificate) {
  const dispatcher = new Agent({
    connect: { ca, ...(client && { cert: client.certificate, key: client.key }) },
  });
  return {
    async call(url: string, { method = "GET", authorization, body }: Call = {}) {
      const response = await request(url, {
        dispatcher,
        method,
        headers: {
          ...(authorization !== undefined && { authorization }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      return {
        status: response.statusCode,
        headers: response.headers,
        text: await response.body.text(),
      };
    },
    close: () => dispatcher.destroy(),
  };
}
