import type { Diagnostic } from "../../core/diagnostics";
import { REGISTRIES } from "../../core/registries";
import type { Provider } from "../../core/provider";
import type { Attributes } from "../../core/schema/attribute";
import {
  errorAt,
  impliedProvider,
  type Location,
  providerKey,
  refusalDetail,
  REFUSALS,
  type ResourceConfig,
  type StackConfig,
} from "../../language";
import { didYouMean } from "../../core/suggest";
import { formatProvider } from "../../core/documents/address";

/** The providers of the executor, by source: `cdktf-console/cwp`. */
export type Providers = ReadonlyMap<string, Provider<unknown>>;

export interface SelectedProvider {
  readonly provider: Provider<unknown>;
  /** `registry.terraform.io/cdktf-console/cwp` */
  readonly address: string;
}

/** A provider as one of its blocks configures it. */
export interface ProviderConnection extends SelectedProvider {
  /** Undefined until the configuration is wholly known. */
  readonly connection: unknown;
}

/** The address and the source of Terraform's own provider. */
const BUILT_IN = "terraform.io/builtin/terraform";

/**
 * Returns the source of an address in a default registry, `hashicorp/null`, or of Terraform's own
 * provider; undefined for others.
 */
export function sourceOf(address: string): string | undefined {
  if (address === BUILT_IN) return address;
  const registry = REGISTRIES.find((one) => address.startsWith(`${one}/`));
  return registry && address.slice(registry.length + 1);
}

/** Returns the provider of a local name of the stack, if the executor includes it. */
export function selectProvider(
  stack: StackConfig,
  name: string,
  providers: Providers,
): SelectedProvider | undefined {
  const address = providerAddress(stack, name);
  return providerAt(address, providers);
}

export function providerAt(address: string, providers: Providers): SelectedProvider | undefined {
  const provider = providers.get(sourceOf(address) ?? "");
  return provider && { provider, address };
}

export function providerAddress(stack: StackConfig, name: string): string {
  return stack.requiredProviders.get(name)?.address ?? impliedProvider(name).address;
}

/** A resource's provider and schema, or the error if there are none. */
export type Selected =
  | {
      readonly provider: SelectedProvider;
      readonly attributes: Attributes;
      readonly version: number;
    }
  | { readonly problem: Diagnostic };

export function selectResource(
  stack: StackConfig,
  config: ResourceConfig<Mode>,
  providers: Providers,
): Selected {
  const { where, address } = config;
  const { name, alias } = config.provider;
  const selected = selectProvider(stack, name, providers);
  if (!selected) return { problem: missingProvider(config, name, stack, providers) };
  if (alias !== undefined && !stack.providers.has(providerKey(config.provider))) {
    return {
      problem: errorAt(
        where,
        "Provider configuration not present",
        `${address} uses ${formatProvider(selected.address, alias)}, but the stack has no provider block with that alias.`,
      ),
    };
  }
  const schema = schemaIn(selected.provider, config);
  if (schema) return { provider: selected, ...schema };
  return { problem: unknownType(where, config, selected.provider) };
}

type Mode = "managed" | "data" | "ephemeral";
type Typed = Pick<ResourceConfig<Mode>, "mode" | "type">;

/** The schema of a type. Only managed resources have versions. */
function schemaIn(provider: Provider<unknown>, { mode, type }: Typed) {
  if (mode === "managed") {
    const schema = provider.resourceAttributes(type);
    return schema && { version: schema.version, attributes: schema.attributes };
  }
  const attributes =
    mode === "data"
      ? provider.dataSourceAttributes(type)
      : provider.ephemeralResources.attributes(type);
  return attributes && { version: 0, attributes };
}

/** The attributes of a type by its provider's address. */
export function attributesOf(
  typed: Typed & { readonly provider: string },
  providers: Providers,
): Attributes | undefined {
  const known = providerAt(typed.provider, providers);
  return known && schemaIn(known.provider, typed)?.attributes;
}

/**
 * The error for a block whose provider the executor does not include. Blocks of one provider have the
 * same text, so that they are listed in one error.
 *
 * @param block Has no type if it is a provider block.
 */
export function missingProvider(
  block: { readonly where: Location } & (Typed | { readonly type?: never }),
  name: string,
  stack: StackConfig,
  providers: Providers,
): Diagnostic {
  const { where } = block;
  const address = providerAddress(stack, name);
  const isImplied = address === impliedProvider(name).address;
  const owner = isImplied ? includedOwner(name, providers, block) : undefined;
  if (owner === undefined) return unsupported(where, address);
  const [declared] = [...stack.requiredProviders].flatMap(([local, required]) =>
    sourceOf(required.address) === owner ? [local] : [],
  );
  return declared === undefined
    ? errorAt(
        where,
        "Missing provider source",
        `Without an entry in required_providers, "${name}" is the provider ${address}. Add "${name}" with the source "${owner}" to required_providers.`,
      )
    : errorAt(
        where,
        "Missing provider argument",
        `The provider ${owner} has the local name "${declared}" in this stack. Without the argument "provider", the local name is that of the type: "${name}", which is ${address}. Set provider = "${declared}" in the blocks of its types, and use that name for provider blocks; with generated bindings, pass the provider as the prop "provider".`,
      );
}

export function unsupported(where: Location, provider: string): Diagnostic {
  const detail = refusalDetail(`The stack uses the provider ${provider}.`, REFUSALS.provider);
  return errorAt(where, "Provider not supported", detail);
}

/** The source of the included provider that a type belongs to, or that has the name. */
function includedOwner(
  name: string,
  providers: Providers,
  block: Typed | { readonly type?: never },
): string | undefined {
  return [...providers].find(([source, provider]) =>
    block.type === undefined ? source.endsWith(`/${name}`) : schemaIn(provider, block),
  )?.[0];
}

export function unknownType(
  where: Location,
  { mode, type }: Typed,
  { definition }: Provider<unknown>,
): Diagnostic {
  const { dataSources, resources, ephemeralResources } = definition;
  const [what, known] = {
    managed: ["resource type", resources] as const,
    data: ["data source", dataSources] as const,
    ephemeral: ["ephemeral resource", ephemeralResources] as const,
  }[mode];
  const suggestion = didYouMean(
    type,
    known.map((one) => one.type),
  );
  // An included provider may have more than this executor.
  const detail =
    known.length === 0
      ? `This executor has no ${what}s of the provider ${definition.source}. Terraform can run the stack.`
      : `The provider ${definition.source} does not support ${what} ${JSON.stringify(type)}.${suggestion || " Correct the type."}`;
  return errorAt(where, `Invalid ${what}`, detail);
}
