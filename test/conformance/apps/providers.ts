import { error } from "../../../src/core/diagnostics";
import { builtInProviders } from "../../../src/provider/built-in";
import type { Log } from "../../../src/core/io/log";
import { nullProvider } from "../../../src/core/providers/null-provider";
import { Provider } from "../../../src/core/provider";
import { clock } from "../random/steady-providers";

/** The providers of both engines, with null resources whose operations fail as the step says. */
export function appProviders(log: Log): ReturnType<typeof builtInProviders> {
  const resources = nullProvider.resources.map((resource) => ({
    ...resource,
    read: failing("read", resource.read.bind(resource)),
    create: async (...given: Parameters<typeof resource.create>) => {
      const failure = failureOf("create", given[0]);
      return failure ? { state: null, diagnostics: [failure] } : resource.create(...given);
    },
    delete: failing("delete", resource.delete.bind(resource)),
  }));
  const provider = new Provider<unknown>({ ...nullProvider, resources });
  return new Map([...builtInProviders(log), [nullProvider.source, provider]]);
}

/** A failure keeps the object. */
function failing<State extends object, Rest extends unknown[], Result>(
  operation: string,
  act: (state: State, ...rest: Rest) => Promise<Result>,
) {
  return (state: State, ...rest: Rest) => {
    const failure = failureOf(operation, state);
    return failure ? Promise.resolve({ state, diagnostics: [failure] }) : act(state, ...rest);
  };
}

function failureOf(operation: string, object: object) {
  const { triggers } = object as { readonly triggers?: { readonly name?: string } | null };
  const name = `${operation} ${triggers?.name ?? ""}`;
  return clock.failing.has(name) ? error("Failure of the case", `${name} fails.`) : undefined;
}
