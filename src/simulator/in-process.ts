import { Readable } from "node:stream";
import type { Transport } from "../api/http/transport";
import type { SimulatedConsole } from "./console";
import type { ClientCertificate, SimulatedResponse } from "./messages";

/**
 * Creates a transport for the API's client that calls a console in the same process, without port
 * and TLS.
 *
 * @param clientCertificate The certificate of the simulated TLS handshake.
 */
export function transportTo(
  console: SimulatedConsole,
  clientCertificate?: ClientCertificate,
): Transport {
  return async ({ method, path, headers, body, signal }) => {
    signal?.throwIfAborted();
    const response = await console.handle({ method, path, headers, body, clientCertificate });
    signal?.throwIfAborted();
    if (response.delivered === "none") throw new Error("the connection was reset");
    return {
      status: response.status,
      headers: response.headers,
      body: Readable.from(pieces(response)),
    };
  };
}

function* pieces({ body, delivered }: SimulatedResponse): Generator<Uint8Array> {
  const bytes = Buffer.from(body);
  if (delivered !== "half") {
    yield bytes;
    return;
  }
  yield bytes.subarray(0, Math.floor(bytes.length / 2));
  throw new Error("the connection broke in the middle of the body");
}
