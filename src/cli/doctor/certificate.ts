import { connect } from "node:tls";
import { proxyVariables } from "../../core/io/proxy";

export interface ServerCertificate {
  /** Names and addresses that it is for, as in `DNS:console.example`. */
  readonly names: string;
  readonly validUntil: Date;
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Reads the certificate of a server by a handshake alone: nothing is sent, and nothing is verified.
 * Undefined behind a proxy, or if it cannot be read.
 */
export function certificateOf(baseUrl: string): Promise<ServerCertificate | undefined> {
  const { httpsProxy } = proxyVariables(process.env);
  if (httpsProxy !== "") return Promise.resolve(undefined);
  const { hostname, port } = new URL(baseUrl);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isName = !/^[\d.]+$|:/.test(host);
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === "" ? 443 : Number(port),
      ...(isName && { servername: host }),
      rejectUnauthorized: false,
    });
    const end = (certificate?: ServerCertificate) => {
      socket.destroy();
      resolve(certificate);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, end);
    socket.once("error", () => {
      end();
    });
    socket.once("secureConnect", () => {
      const { subjectaltname: names = "none", valid_to: until } = socket.getPeerCertificate();
      end({ names, validUntil: new Date(until) });
    });
  });
}
