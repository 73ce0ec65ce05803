import { z } from "zod";
import type { Environment } from "../../core/environment";
import { error, type Diagnostic } from "../../core/diagnostics";
import { proxyVariables, type ProxyVariables } from "../../core/io/proxy";
import type { HttpSettings } from "../../backends";
import { argumentReader, flagArgument, invalidBackend, number, text } from "./backend-arguments";
import { DEFAULT_WORKSPACE } from "../../core/workspace";

export interface HttpBackendConfig {
  readonly type: "http";
  /** Environment variables fill in absent settings. */
  readonly settings: z.infer<typeof httpBlock>;
}

export const httpBlock = z.strictObject({
  address: text,
  update_method: text,
  lock_address: text,
  unlock_address: text,
  lock_method: text,
  unlock_method: text,
  username: text,
  password: text,
  skip_cert_verification: flagArgument,
  retry_max: number,
  retry_wait_min: number,
  retry_wait_max: number,
  client_ca_certificate_pem: text,
  client_certificate_pem: text,
  client_private_key_pem: text,
});

/** Returns the proxy for the scheme of the address, as Terraform chooses it. */
export function proxyFor(address: string, environment: Environment): ProxyVariables {
  const { httpsProxy, noProxy } = proxyVariables(environment);
  const httpProxy = environment.http_proxy ?? environment.HTTP_PROXY ?? "";
  return { httpsProxy: address.startsWith("https:") ? httpsProxy : httpProxy, noProxy };
}

/** Returns a URL without the name and the password in it. */
export function withoutUser(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  url.username = url.password = "";
  return url.href;
}

/**
 * Returns the block that finds the state again, without credentials. Undefined for an address with a
 * query, which may be one.
 */
export function httpRecord(
  backend: HttpBackendConfig,
  environment: Environment,
  workspace: string,
): HttpBackendConfig["settings"] | undefined {
  const { settings } = httpSettings(backend, environment, workspace);
  if (!settings) return undefined;
  const { lockAddress, lockMethod, unlockAddress, unlockMethod, updateMethod, verify } = settings;
  const addresses = [settings.address, lockAddress, unlockAddress].map(withoutUser);
  if (addresses.some((address) => address?.includes("?"))) return undefined;
  const [address, lock_address, unlock_address] = addresses;
  return {
    address,
    lock_address,
    unlock_address,
    lock_method: lockMethod,
    unlock_method: unlockMethod,
    update_method: updateMethod,
    username: settings.username,
    skip_cert_verification: !verify,
    client_ca_certificate_pem: settings.ca,
  };
}

/** Returns the settings of an http backend, with those of Terraform's environment variables. */
export function httpSettings(
  { settings }: HttpBackendConfig,
  environment: Environment,
  workspace: string,
): { settings?: HttpSettings; diagnostics: readonly Diagnostic[] } {
  const given = argumentReader(settings, environment, "TF_HTTP_");
  if (workspace !== DEFAULT_WORKSPACE) {
    const detail = `The workspace "${workspace}" is selected, but the "http" backend has only "${DEFAULT_WORKSPACE}". Select that one, or use an address for each environment.`;
    return { diagnostics: [error("Backend without workspaces", detail)] };
  }
  const [address, lockAddress, unlockAddress] = [
    given("address"),
    given("lock_address"),
    given("unlock_address"),
  ];
  if (address === undefined) {
    return invalidBackend(
      'The "http" backend has no address. Set "address" in its block, or TF_HTTP_ADDRESS.',
    );
  }
  for (const [name, url] of Object.entries({ address, lockAddress, unlockAddress })) {
    if (url === undefined || /^https?:\/\/[^/]/.test(url)) continue;
    const argument = name.replace("A", "_a");
    return invalidBackend(
      `The "${argument}" of the "http" backend must be a URL with http or https.`,
    );
  }
  const seconds = (name: keyof typeof settings, fallback: number) =>
    Number(given(name) ?? fallback);
  return {
    settings: {
      address,
      updateMethod: given("update_method") ?? "POST",
      lockAddress,
      lockMethod: given("lock_method") ?? "LOCK",
      unlockAddress,
      unlockMethod: given("unlock_method") ?? "UNLOCK",
      username: given("username"),
      password: given("password"),
      proxy: proxyFor(address, environment),
      verify: given("skip_cert_verification") !== "true",
      ca: given("client_ca_certificate_pem"),
      certificate: given("client_certificate_pem"),
      key: given("client_private_key_pem"),
      retries: seconds("retry_max", 2),
      minRetryMs: seconds("retry_wait_min", 1) * 1000,
      maxRetryMs: seconds("retry_wait_max", 30) * 1000,
    },
    diagnostics: [],
  };
}
