import type { Provider } from "../core/provider";
import { getMetadata } from "./handlers/get-metadata";
import { getProviderSchema } from "./handlers/get-provider-schema";
import { PROVIDER_SERVICE } from "./rpc-names";
import { PluginSession } from "./session";

/** Encoded answers by the path of their calls. */
export type FixedAnswers = ReadonlyMap<string, Uint8Array>;

/**
 * Encodes the answers that depend on the provider alone. The build stores them in the bundle:
 * Terraform starts the provider some times for its schema only, which then needs no definition.
 */
export async function fixedAnswers(provider: Provider<unknown>): Promise<FixedAnswers> {
  const session = new PluginSession(provider, () => undefined);
  const { signal } = session;
  const answers = [getMetadata, getProviderSchema].map(
    async (rpc) =>
      [
        `/${PROVIDER_SERVICE}/${rpc.name}`,
        await rpc.answer(session, new Uint8Array(0), signal),
      ] as const,
  );
  return new Map(await Promise.all(answers));
}
