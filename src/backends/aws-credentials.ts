import { errorText } from "../core/io/file-problem";
import { world } from "../core/io/world";
import { Expiring } from "./expiring";
import type { Connections } from "./http-dispatcher";
import { exchangeWithServer } from "./http-request";
import type { AwsIdentity, AwsKeys } from "./s3-settings";
import { StoreError } from "./state-store";

/** The credentials of this process. Stacks with equal settings share them. */
const known = new Expiring<AwsKeys>(({ expiration }) => expiration?.getTime());

/** Returns credentials of AWS, which its own library finds. Rejects with a `StoreError`. */
export async function awsKeys(identity: AwsIdentity, connections: Connections): Promise<AwsKeys> {
  const key = JSON.stringify([identity, connections]);
  try {
    return await known.get(key, () => findKeys(identity, connections));
  } catch (cause) {
    throw new StoreError(`AWS has no credentials for it: ${errorText(cause)}`, { cause });
  }
}

async function findKeys(identity: AwsIdentity, connections: Connections): Promise<AwsKeys> {
  const { keys, role, webIdentity } = identity;
  if (keys && !role && !webIdentity) return keys;
  const library = await import("@aws-sdk/credential-providers");
  const clientConfig = { region: identity.sts.region, requestHandler: handlerOf(connections) };
  const { endpoint } = identity.sts;
  const sts = { ...clientConfig, ...(endpoint !== undefined && { endpoint }) };
  const { profile, credentialsFile: filepath, configFile: configFilepath } = identity;
  const files = {
    ...(profile !== undefined && { profile }),
    ...(filepath !== undefined && { filepath }),
    ...(configFilepath !== undefined && { configFilepath }),
    clientConfig,
    parentClientConfig: sts,
    logger: SILENT,
  };
  const chain = library.createCredentialChain(
    library.fromIni(files),
    library.fromTokenFile({ clientConfig: sts }),
    ...(identity.metadata ? [library.fromNodeProviderChain(files)] : []),
  );
  const base = webIdentity
    ? library.fromTokenFile({ ...webIdentity, clientConfig: sts })
    : keys
      ? () => Promise.resolve(keys)
      : chain;
  if (!role) return base();
  const { RoleSessionName = `cdktf-console-${world.processes.own()}` } = role;
  const params = { ...role, RoleSessionName };
  return library.fromTemporaryCredentials({ params, masterCredentials: base, clientConfig: sts })();
}

const ignore = () => undefined;

/** The library writes advice to stderr without a logger. */
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A request of the library. */
interface LibraryRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | string[] | null>>;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/** Sends the requests of the library as those of the backend, through its proxy. */
function handlerOf(connections: Connections) {
  return {
    async handle(request: LibraryRequest) {
      const { protocol, hostname, port, path, query = {}, method, headers, body } = request;
      const url = new URL(`${protocol}//${hostname}${port === undefined ? "" : `:${port}`}${path}`);
      for (const [name, value] of Object.entries(query)) {
        for (const one of [value].flat()) url.searchParams.append(name, one ?? "");
      }
      const bytes =
        typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : undefined;
      const answer = await exchangeWithServer(connections, { method, url, headers, body: bytes });
      const { status: statusCode, ...rest } = answer;
      return { response: { statusCode, ...rest } };
    },
  };
}
