import { createHash } from "node:crypto";
import { builtInProviders } from "../../../src/provider/built-in";
import type { Log } from "../../../src/core/io/log";
import { nullProvider } from "../../../src/core/providers/null-provider";
import { Provider } from "../../../src/core/provider";

/** The number of the current step, and its operations that fail: equal for both engines. */
export const clock = { step: 0, failing: new Set<string>() };

/**
 * The providers of the executor. The ID of a null resource depends on its triggers and the step, so
 * that functions of IDs have the same result with both engines.
 */
export function steadyProviders(log: Log): ReturnType<typeof builtInProviders> {
  const resources = nullProvider.resources.map((resource) => ({
    ...resource,
    create: async (...given: Parameters<typeof resource.create>) => {
      const created = await resource.create(...given);
      return { ...created, state: { ...created.state, id: idOf(created.state ?? {}) } };
    },
  }));
  const steady = new Provider<unknown>({ ...nullProvider, resources });
  return new Map([...builtInProviders(log), [nullProvider.source, steady]]);
}

export function idOf(state: object): string {
  const { triggers } = state as { readonly triggers?: object };
  const text = `${clock.step} ${JSON.stringify(triggers, Object.keys(triggers ?? {}).sort())}`;
  return BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 15)}`).toString();
}
