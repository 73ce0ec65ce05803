import type { AuthClient } from "google-auth-library";
import { errorText } from "../core/io/file-problem";
import { readTextFile } from "../core/io/read-file";
import { setMember } from "../core/member-of";
import type { Connections } from "./http-dispatcher";
import { exchangeWithServer } from "./http-request";
import { StoreError } from "./state-store";

/** The settings by which Google's own library finds credentials. */
export interface GoogleIdentity {
  /** An access token of the environment. */
  readonly token: string | undefined;
  /** A key as JSON, or the path of its file. Default: the application's default credentials. */
  readonly credentials: string | undefined;
  /** The account to impersonate. */
  readonly account: string | undefined;
  readonly delegates: readonly string[];
}

const SCOPES = ["https://www.googleapis.com/auth/devstorage.read_write"];

/** The clients of this process, which renew their tokens. Stacks with equal settings share them. */
const known = new Map<string, Promise<AuthClient>>();

/** Returns a token of Google Cloud. Rejects with a `StoreError`. */
export async function googleToken(
  identity: GoogleIdentity,
  connections: Connections,
): Promise<string> {
  if (identity.token !== undefined && identity.account === undefined) return identity.token;
  const key = JSON.stringify([identity, connections]);
  const client = known.get(key) ?? findClient(identity, connections);
  known.set(key, client);
  try {
    const { token } = await (await client).getAccessToken();
    if (!token) throw new Error("the answer has no token");
    return token;
  } catch (cause) {
    known.delete(key);
    const detail = `Google Cloud has no credentials for it: ${errorText(cause)}`;
    throw new StoreError(detail, { cause });
  }
}

async function findClient(
  { token, credentials, account, delegates }: GoogleIdentity,
  connections: Connections,
): Promise<AuthClient> {
  const { GoogleAuth, Impersonated, OAuth2Client } = await import("google-auth-library");
  const transporterOptions = { fetchImplementation: fetchThrough(connections) };
  const options = { scopes: SCOPES, clientOptions: { transporterOptions } };
  const find = async (): Promise<AuthClient> => {
    if (token !== undefined) {
      const client = new OAuth2Client({ transporterOptions });
      client.setCredentials({ access_token: token });
      return client;
    }
    const key = credentials === undefined ? undefined : await keyOf(credentials);
    // oxlint-disable-next-line typescript/no-deprecated -- Google warns of keys that others choose.
    return new GoogleAuth({ ...options, ...(key && { credentials: key }) }).getClient();
  };
  const sourceClient = await find();
  if (account === undefined) return sourceClient;
  return new Impersonated({
    transporterOptions,
    sourceClient,
    targetPrincipal: account,
    delegates: [...delegates],
    targetScopes: SCOPES,
    lifetime: 3600,
  });
}

async function keyOf(credentials: string): Promise<object> {
  const text = credentials.trimStart().startsWith("{")
    ? credentials
    : await readTextFile(credentials);
  try {
    const key: unknown = JSON.parse(text);
    if (typeof key === "object" && key !== null) return key;
  } catch {
    // The error of the parser may have a part of the key.
  }
  throw new Error("the credentials are no JSON");
}

/** Sends the requests of the library as those of the backend, through its proxy. */
function fetchThrough(connections: Connections): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const bytes = Buffer.from(await request.arrayBuffer());
    const sent: Record<string, string> = {};
    request.headers.forEach((value, name) => {
      setMember(sent, name, value);
    });
    const { status, headers, body } = await exchangeWithServer(connections, {
      method: request.method,
      url: new URL(request.url),
      headers: sent,
      body: bytes.length > 0 ? bytes : undefined,
    });
    return new Response(new Uint8Array(body), { status, headers });
  };
}
