import { error } from "../../../src/core/diagnostics";
import { builtInProviders } from "../../../src/provider/built-in";
import type { Log } from "../../../src/core/io/log";
import { nullProvider } from "../../../src/core/providers/null-provider";
import { Provider } from "../../../src/core/provider";
import { computed, map, optional, string } from "../../../src/core/schema/attribute";
import type { ResourceDefinition } from "../../../src/core/definitions/resource-definition";
import { clock, idOf } from "../random/steady-providers";

const attributes = {
  id: computed(string(), "A number of each object.", { stable: true }),
  triggers: optional(map(string()), "A change replaces the object.", { requiresReplace: true }),
  note: optional(string(), "A change updates the object."),
};

type Triggers = Readonly<Record<string, string>> | null;

/** A null resource that can be updated, whose operations fail as the step says. */
const resource: ResourceDefinition<typeof attributes, null> = {
  type: "null_resource",
  description: "A resource that fails.",
  version: 0,
  attributes,
  read: (state) => Promise.resolve({ state }),
  create: ({ triggers, note }) => {
    const created = { id: idOf({ triggers }), triggers, note };
    return outcome("create", triggers, null, created);
  },
  update: ({ prior, planned: { note } }) =>
    outcome("update", prior.triggers, prior, { ...prior, note }),
  delete: (prior) => outcome("delete", prior.triggers, prior, null),
};

function outcome<S>(operation: string, triggers: Triggers, before: S, after: S) {
  const { name = "" } = triggers ?? {};
  if (!clock.failing.has(`${operation} ${name}`)) return Promise.resolve({ state: after });
  const failure = error("Failure of the case", `${operation} ${name} fails.`);
  return Promise.resolve({ state: before, diagnostics: [failure] });
}

export function failingProviders(log: Log): ReturnType<typeof builtInProviders> {
  const failing = new Provider<unknown>({ ...nullProvider, resources: [resource] });
  return new Map([...builtInProviders(log), [nullProvider.source, failing]]);
}
