import { Provider } from "../core/provider";
import * as calls from "../plugin/calls";
import type { LoadedProvider } from "../plugin/server";

/*
 * All that the calls of an installed provider need. The build makes a file of it, which the first of
 * these calls loads: Terraform starts the provider some times for its schema only.
 */

/** Loads the console's provider, or the replacement of hashicorp/null. */
export async function loadProvider(name: "cwp" | "null"): Promise<LoadedProvider> {
  return { provider: await providerOf(name), calls };
}

async function providerOf(name: "cwp" | "null"): Promise<Provider<unknown>> {
  if (name === "null") {
    return new Provider<unknown>((await import("../core/providers/null-provider.js")).nullProvider);
  }
  return new Provider((await import("../provider/cwp-provider.js")).cwpProvider);
}
