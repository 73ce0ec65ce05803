import type { ProviderDefinition } from "../definitions/provider-definition";
import type { ResourceDefinition } from "../definitions/resource-definition";
import { computed, map, optional, string } from "../schema/attribute";
import { world } from "../io/world";

const attributes = {
  id: computed(string(), "A random number of each object.", { stable: true }),
  triggers: optional(
    map(string()),
    "Arbitrary strings; a change of any of them replaces the resource and runs its provisioners again.",
    { requiresReplace: true },
  ),
};

/** Does nothing, but runs provisioners and orders other resources. */
const nullResource: ResourceDefinition<typeof attributes, null> = {
  type: "null_resource",
  description: "A resource that does nothing, with provisioners that do.",
  version: 0,
  attributes,
  read: (state) => Promise.resolve({ state }),
  create: ({ triggers }) => Promise.resolve({ state: { id: randomId(), triggers } }),
  delete: () => Promise.resolve({ state: null }),
};

/** The provider hashicorp/null, without configuration. */
export const nullProvider: ProviderDefinition<null> = {
  source: "hashicorp/null",
  name: "null",
  description: "Resources that do nothing.",
  configuration: {},
  resources: [nullResource],
  dataSources: [],
  ephemeralResources: [],
  functions: [],
  actions: [],
  configure: () => Promise.resolve({ connection: null, diagnostics: [] }),
  close: () => Promise.resolve(),
};

/** A positive 63-bit integer, as in the original provider. */
function randomId(): string {
  const high = BigInt(world.random.integer(2 ** 31));
  const low = BigInt(world.random.integer(2 ** 32));
  return ((high << 32n) | low).toString();
}
