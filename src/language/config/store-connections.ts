import type { Environment } from "../../core/environment";
import type { Connections } from "../../backends";
import { proxyFor } from "./http-backend";

/**
 * Returns the connections to an object store, as the libraries of the vendors open them.
 *
 * @param methods The methods whose requests are repeated.
 */
export function storeConnections(
  address: string,
  environment: Environment,
  methods: readonly string[],
): Connections {
  return {
    proxy: proxyFor(address, environment),
    verify: true,
    ca: undefined,
    certificate: undefined,
    key: undefined,
    retries: 5,
    minRetryMs: 200,
    maxRetryMs: 20_000,
    methods,
  };
}
