import { error, type Diagnostic } from "../core/diagnostics";
import type { Environment } from "../core/environment";
import { errorText } from "../core/io/file-problem";
import type { Sdk } from "./load-sdk";
import type { Connection } from "./sdk";

/** A server of Temporal, with a namespace. */
export interface Server {
  readonly connection: Connection;
  readonly namespace: string;
}

/** The settings to correct if the server is the wrong one, or refuses this client. */
export const NAMED_BY =
  "TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and the TLS variables of Temporal name the server, or a profile in its configuration file.";

/** Connects to the server that Temporal's own environment and profile name. */
export async function connectToTemporal(
  { envconfig, worker }: Sdk,
  environment: Environment,
): Promise<Server | { readonly problem: Diagnostic }> {
  // Only errors: workers report what they do themselves.
  worker.Runtime.install({
    logger: new worker.DefaultLogger("ERROR"),
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: { core: "ERROR", other: "ERROR" } } },
  });
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  let address = "";
  try {
    const config = envconfig.loadClientConnectConfig({
      overrideEnvVars: Object.fromEntries(variables),
    });
    address = config.connectionOptions.address ?? "";
    const connection = await worker.NativeConnection.connect(config.connectionOptions);
    return { connection, namespace: config.namespace ?? "default" };
  } catch (cause) {
    const detail = `${address === "" ? "" : `${address}: `}${reasonOf(cause)}. ${NAMED_BY}`;
    return { problem: error("Temporal cannot be reached", detail) };
  }
}

/** The native part of the SDK reports failures as Rust prints them. */
function reasonOf(failure: unknown): string {
  const text = errorText(failure).replace(/\.$/, "");
  if (text.includes("InvalidContentType")) return "the server does not use TLS";
  const [, message = text] = /\bmessage: "([^"]*)"/.exec(text) ?? [];
  const path = failure instanceof Error && "path" in failure && failure.path;
  return typeof path === "string" ? `${path}: ${message}` : message;
}
