import { mapMembers } from "../member-of";
import type { ProviderDefinition } from "../definitions/provider-definition";
import type { ResourceDefinition } from "../definitions/resource-definition";
import { anything, computed, optional, string } from "../schema/attribute";
import { dynamicTypeOf, sameDynamic, withDynamicType } from "../schema/dynamic";
import { isNullValue, isObjectValue, UNKNOWN, type KnownValue, type ObjectValue } from "../values";
import { world } from "../io/world";
import { terraformFunctions } from "./terraform-functions";

const attributes = {
  id: computed(string(), "A random UUID of each object.", {
    notNull: true,
    // Another type of null is no change that replaces an object, and gives it another ID.
    plan: ({ config, prior }) =>
      prior !== null && keepsTriggers(config, prior) ? (prior.id ?? null) : UNKNOWN,
  }),
  input: optional(anything(), "A value of any type, which `output` has after the next apply."),
  output: computed(anything(), "The value of `input`.", {
    plan: ({ config, prior }) => {
      const { input = null } = config;
      const unknown = withDynamicType(UNKNOWN, dynamicTypeOf(input));
      // Terraform plans an unknown value for an update to null too.
      if (prior === null || !keepsTriggers(config, prior)) {
        return isNullValue(input) ? input : unknown;
      }
      return sameDynamic(prior.input ?? null, input) ? (prior.output ?? null) : unknown;
    },
  }),
  triggers_replace: optional(anything(), "A value of any type; a change replaces the resource.", {
    requiresReplace: true,
  }),
};

function keepsTriggers(config: ObjectValue, prior: ObjectValue): boolean {
  return sameDynamic(prior.triggers_replace ?? null, config.triggers_replace ?? null);
}

/** Keeps a value in the state. */
const data: ResourceDefinition<typeof attributes, null> = {
  type: "terraform_data",
  description: "A resource that stores a value in the state, with provisioners.",
  version: 0,
  attributes,
  read: (state) => Promise.resolve({ state }),
  create: ({ input, triggers_replace }) =>
    Promise.resolve({ state: { id: world.random.uuid(), input, output: input, triggers_replace } }),
  update: ({ planned: { id: planned, input, triggers_replace } }) => {
    const id = planned === UNKNOWN ? world.random.uuid() : planned;
    return Promise.resolve({ state: { id, input, output: input, triggers_replace } });
  },
  delete: () => Promise.resolve({ state: null }),
  import: (id) =>
    Promise.resolve({ state: { id, input: null, output: null, triggers_replace: null } }),
  movesFrom: {
    provider: "hashicorp/null",
    type: "null_resource",
    convert: ({ id = null, triggers = null }) => ({ id, triggers_replace: asObject(triggers) }),
  },
};

/** Stores triggers, which are a map, as Terraform does: as the object that most configurations have. */
function asObject(triggers: KnownValue): KnownValue {
  if (!isObjectValue(triggers)) return null;
  return { value: triggers, type: ["object", mapMembers(triggers, () => "string")] };
}

/** The provider that Terraform includes, without its data source: engines read states themselves. */
export const terraformProvider: ProviderDefinition<null> = {
  source: "terraform.io/builtin/terraform",
  name: "terraform",
  description: "Resources of the language.",
  configuration: {},
  resources: [data],
  dataSources: [],
  ephemeralResources: [],
  functions: terraformFunctions,
  actions: [],
  configure: () => Promise.resolve({ connection: null, diagnostics: [] }),
  close: () => Promise.resolve(),
};
