import type { AccessToken, ClientSecretCredentialOptions, TokenCredential } from "@azure/identity";
import { z } from "zod";
import { errorText } from "../core/io/file-problem";
import { readTextFile } from "../core/io/read-file";
import type { AzureAssertion, AzureIdentity, AzureSettings, ValueOrFile } from "./azure-settings";
import { sharedKey } from "./azure-signature";
import { Expiring } from "./expiring";
import type { Connections } from "./http-dispatcher";
import { exchangeWithServer, type HttpRequest } from "./http-request";
import { StoreError } from "./state-store";

/** The scope of tokens for storage accounts, in each cloud. */
const STORAGE = "https://storage.azure.com/.default";

/** The tokens and keys of this process. Stacks with equal settings share them. */
const tokens = new Expiring<AccessToken>(({ expiresOnTimestamp }) => expiresOnTimestamp);
const keys = new Expiring<string>(() => undefined);

/** Returns a request to the storage account with its credentials. Rejects with a `StoreError`. */
export async function authorized(
  request: HttpRequest,
  { account, access, connections }: AzureSettings,
): Promise<HttpRequest> {
  const withHeader = (authorization: string) => ({
    ...request,
    headers: { ...request.headers, authorization },
  });
  switch (access.by) {
    case "key":
      return withHeader(sharedKey(request, account, access.key));
    case "sas": {
      const url = new URL(request.url);
      url.search = [url.search.slice(1), access.token].filter(Boolean).join("&");
      return { ...request, url };
    }
    case "token":
      return withHeader(`Bearer ${await azureToken(access.identity, STORAGE, connections)}`);
    case "found key": {
      const { address, scope } = access.keys;
      const key = await keys.get(JSON.stringify([access, connections]), async () => {
        const token = await azureToken(access.identity, scope, connections);
        return findKey(new URL(address), token, connections);
      });
      return withHeader(sharedKey(request, account, key));
    }
  }
}

const accountKeys = z.object({
  keys: z.array(z.object({ value: z.string(), permissions: z.string() })),
});

async function findKey(url: URL, token: string, connections: Connections): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, body } = await exchangeWithServer(connections, { method: "POST", url, headers });
  const found = status === 200 ? accountKeys.parse(JSON.parse(body.toString("utf8"))).keys : [];
  const key = found.find(({ permissions }) => permissions.toLowerCase() === "full");
  if (key) return key.value;
  throw new StoreError(
    `Azure Resource Manager answered ${status} to the request for the keys of the storage account. The role Storage Account Key Operator is required, or set "use_azuread_auth" to true and use the role Storage Blob Data Contributor`,
  );
}

async function azureToken(
  identity: AzureIdentity,
  scope: string,
  connections: Connections,
): Promise<string> {
  try {
    const key = JSON.stringify([identity, scope, connections]);
    const { token } = await tokens.get(key, () => requestToken(identity, scope, connections));
    return token;
  } catch (cause) {
    throw new StoreError(`Azure has no credentials for it: ${errorText(cause)}`, { cause });
  }
}

async function requestToken(
  identity: AzureIdentity,
  scope: string,
  connections: Connections,
): Promise<AccessToken> {
  let failure: unknown;
  const client = clientOf(connections, (cause) => (failure = cause));
  const credential = await credentialOf(identity, connections, client);
  try {
    const found = await credential.getToken(scope);
    if (found) return found;
  } catch (cause) {
    // The library replaces the error of a connection by one that names no address.
    throw failure ?? cause;
  }
  throw new Error("the answer has no token");
}

async function credentialOf(
  identity: AzureIdentity,
  connections: Connections,
  httpClient: LibraryClient,
): Promise<TokenCredential> {
  const library = await import("@azure/identity");
  const options = {
    authorityHost: identity.authority,
    httpClient,
    // The requests themselves are repeated.
    retryOptions: { maxRetries: 0 },
  };
  switch (identity.by) {
    case "cli":
      return new library.AzureCliCredential({
        ...(identity.tenant !== undefined && { tenantId: identity.tenant }),
      });
    case "managed identity": {
      if (identity.client === undefined) return new library.ManagedIdentityCredential(options);
      const clientId = await valueOf(identity.client);
      return new library.ManagedIdentityCredential({ ...options, clientId });
    }
    case "application": {
      const { tenant, proof } = identity;
      const client = await valueOf(identity.client);
      if ("secret" in proof) {
        const secret = await valueOf(proof.secret);
        return new library.ClientSecretCredential(tenant, client, secret, options);
      }
      const assertion = () => assertionOf(proof.assertion, connections);
      return new library.ClientAssertionCredential(tenant, client, assertion, options);
    }
  }
}

const assertion = z.union([
  z.object({ value: z.string() }).transform(({ value }) => value),
  z.object({ oidcToken: z.string() }).transform(({ oidcToken }) => oidcToken),
]);

async function assertionOf(given: AzureAssertion, connections: Connections): Promise<string> {
  if (typeof given === "string" || "file" in given) return valueOf(given);
  const { connection } = given;
  const url = new URL(given.url);
  if (connection === undefined) url.searchParams.set("audience", "api://AzureADTokenExchange");
  else {
    url.searchParams.set("api-version", "7.1");
    url.searchParams.set("serviceConnectionId", connection);
  }
  const method = connection === undefined ? "GET" : "POST";
  const headers = { authorization: `Bearer ${given.token}`, accept: "application/json" };
  const { status, body } = await exchangeWithServer(connections, { method, url, headers });
  if (status !== 200)
    throw new Error(`${url.host} answered ${status} to the request for an ID token`);
  return assertion.parse(JSON.parse(body.toString("utf8")));
}

async function valueOf(given: ValueOrFile): Promise<string> {
  return (typeof given === "string" ? given : await readTextFile(given.file)).trim();
}

type LibraryClient = NonNullable<ClientSecretCredentialOptions["httpClient"]>;

/** Sends the requests of the library as those of the backend, through its proxy. */
function clientOf(connections: Connections, onFailure: (cause: unknown) => void): LibraryClient {
  return {
    async sendRequest(request) {
      const { url: address, method, body } = request;
      const url = new URL(address);
      const isLocal = url.protocol === "http:";
      const answer = await exchangeWithServer(
        {
          ...connections,
          // The metadata of a machine is not behind a proxy.
          ...(isLocal && { proxy: { httpsProxy: "", noProxy: "" } }),
          methods: [...connections.methods, "POST"],
        },
        {
          method,
          url,
          headers: request.headers.toJSON(),
          body: typeof body === "string" ? Buffer.from(body) : undefined,
        },
      ).catch((cause: unknown) => {
        onFailure(cause);
        throw cause;
      });
      const { status } = answer;
      const headers = new Headers(Object.entries(answer.headers));
      return { request, status, headers, bodyAsText: answer.body.toString("utf8") };
    },
  };
}

/** The headers of an answer, as the library reads them. */
class Headers extends Map<string, string> {
  override get(name: string): string | undefined {
    return super.get(name.toLowerCase());
  }

  override has(name: string): boolean {
    return super.has(name.toLowerCase());
  }

  toJSON(): Record<string, string> {
    return Object.fromEntries(this);
  }
}
