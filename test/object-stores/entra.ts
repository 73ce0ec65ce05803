import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Keyed } from "../api/support/certificates";

const TENANT = "11111111-2222-3333-4444-555555555555";
const CLIENT = "66666666-7777-8888-9999-000000000000";
const SECRET = "s3cret-of-the-application";

/** The variables of an application that has the storage account by its secret. */
export const APPLICATION = {
  ARM_TENANT_ID: TENANT,
  ARM_CLIENT_ID: CLIENT,
  ARM_CLIENT_SECRET: SECRET,
};

/** Entra ID, which knows one application, and the Resource Manager, which has a key. */
export class Entra {
  /** The bodies of the requests for tokens. */
  readonly asked: URLSearchParams[] = [];
  private readonly server;

  private constructor(tls: Keyed, accountKey: string) {
    this.server = createServer(tls, (request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
        const { url = "" } = request;
        const answer = (status: number, body: object) => {
          response.writeHead(status, { "content-type": "application/json" });
          response.end(JSON.stringify(body));
        };
        if (url.includes("/oauth2/v2.0/token")) {
          const body = new URLSearchParams(Buffer.concat(chunks).toString());
          this.asked.push(body);
          const isKnown = body.get("client_secret") === SECRET || body.has("client_assertion");
          if (!isKnown) {
            const said = "AADSTS7000215: Invalid client secret provided.";
            answer(401, { error: "invalid_client", error_description: said });
            return;
          }
          const access_token = tokenOf(body.get("scope") ?? "");
          answer(200, { token_type: "Bearer", expires_in: 3600, access_token });
        } else if (url.includes("/listKeys")) {
          const isAllowed = request.headers.authorization?.startsWith("Bearer ");
          const keys = [{ keyName: "key1", permissions: "FULL", value: accountKey }];
          answer(isAllowed ? 200 : 401, { keys });
        } else if (url.includes("/openid-configuration")) {
          const issuer = `https://login.microsoftonline.com/${TENANT}`;
          answer(200, {
            issuer: `${issuer}/v2.0`,
            token_endpoint: `${issuer}/oauth2/v2.0/token`,
            authorization_endpoint: `${issuer}/oauth2/v2.0/authorize`,
            jwks_uri: `${issuer}/discovery/v2.0/keys`,
          });
        } else answer(404, {});
      })();
    });
  }

  static async open(tls: Keyed, accountKey: string): Promise<Entra> {
    const entra = new Entra(tls, accountKey);
    await new Promise<void>((resolve) => entra.server.listen(0, "127.0.0.1", resolve));
    return entra;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A token for a scope, as Azurite checks it: without its signature. */
export function tokenOf(scope: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: `https://sts.windows.net/${TENANT}/`,
    aud: scope.replace(/\/\.default$/, ""),
    iat: now,
    nbf: now,
    exp: now + 3600,
  };
  const parts = [{ alg: "HS256", typ: "JWT" }, claims];
  const encoded = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return [...encoded, Buffer.from("signature").toString("base64url")].join(".");
}
