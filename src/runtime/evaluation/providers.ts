import type { Diagnostic } from "../../provider/diagnostics";
import { REGISTRY } from "../../provider/identity";
import type { Provider } from "../../provider/provider";
import type { Attributes } from "../../provider/schema/attribute";
import { providerKey } from "../config/provider-blocks";
import type { EphemeralConfig, ResourceConfig, StackConfig } from "../config/stack-config";
import { didYouMean } from "../expressions/suggest";
import { formatProvider } from "../state/address";
import { errorAt, type Location } from "../config/located";

/** What the executor can run, by source: `cdktf-console/cwp`. */
export type Providers = ReadonlyMap<string, Provider<unknown>>;

export interface SelectedProvider {
  readonly provider: Provider<unknown>;
  /** `registry.terraform.io/cdktf-console/cwp` */
  readonly address: string;
}

/** A provider as one of its blocks configures it. */
export interface Connection extends SelectedProvider {
  /** Undefined while the configuration is not wholly known. */
  readonly connection: unknown;
}

/** What the sources of `Providers` stand behind in an address. */
const SOURCES = `${REGISTRY}/`;

/** The provider behind a local name of the stack, if the executor includes it. */
export function selectProvider(
  stack: StackConfig,
  name: string,
  providers: Providers,
): SelectedProvider | undefined {
  const address = providerAddress(stack, name);
  return providerAt(address, providers);
}

export function providerAt(address: string, providers: Providers): SelectedProvider | undefined {
  if (!address.startsWith(SOURCES)) return undefined;
  const provider = providers.get(address.slice(SOURCES.length));
  return provider && { provider, address };
}

export function providerAddress(stack: StackConfig, name: string): string {
  return stack.requiredProviders.get(name)?.address ?? `${SOURCES}hashicorp/${name}`;
}

/** A resource's provider and schema, or why there are none. */
export type Selected =
  | {
      readonly provider: SelectedProvider;
      readonly attributes: Attributes;
      readonly version: number;
    }
  | { readonly problem: Diagnostic };

export function selectResource(
  stack: StackConfig,
  config: ResourceConfig,
  providers: Providers,
): Selected {
  const selected = selectProvider(stack, config.provider.name, providers);
  if (!selected) {
    return { problem: unsupported(config.where, providerAddress(stack, config.provider.name)) };
  }
  const { alias } = config.provider;
  if (alias !== undefined && !stack.providers.has(providerKey(config.provider))) {
    return {
      problem: errorAt(
        config.where,
        "Provider configuration not present",
        `${config.address} uses ${formatProvider(selected.address, alias)}, but the stack has no provider block with that alias.`,
      ),
    };
  }
  const { provider } = selected;
  if (config.mode === "data") {
    const attributes = provider.dataSourceAttributes(config.type);
    if (attributes) return { provider: selected, attributes, version: 0 };
  } else {
    const schema = provider.resourceAttributes(config.type);
    if (schema) return { provider: selected, ...pick(schema) };
  }
  return { problem: unknownType(config.where, config, provider) };
}

/** The same for an ephemeral resource. */
export function selectEphemeral(
  stack: StackConfig,
  { type, provider: reference, where }: EphemeralConfig,
  providers: Providers,
):
  | { readonly provider: SelectedProvider; readonly attributes: Attributes }
  | { readonly problem: Diagnostic } {
  const selected = selectProvider(stack, reference.name, providers);
  if (!selected) return { problem: unsupported(where, providerAddress(stack, reference.name)) };
  const attributes = selected.provider.ephemeralResources.attributes(type);
  if (attributes) return { provider: selected, attributes };
  const { definition } = selected.provider;
  const known = definition.ephemeralResources.map((one) => one.type);
  return {
    problem: errorAt(
      where,
      "Invalid ephemeral resource",
      `The provider ${definition.source} does not support ephemeral resource ${JSON.stringify(type)}.${didYouMean(type, known)}`,
    ),
  };
}

export function unsupported(where: Location, provider: string): Diagnostic {
  return errorAt(
    where,
    "Provider not supported",
    `${where.address} needs the provider ${provider}, which this executor does not include. Terraform can run the stack.`,
  );
}

export function unknownType(
  where: Location,
  { mode, type }: Pick<ResourceConfig, "mode" | "type">,
  { definition }: Provider<unknown>,
): Diagnostic {
  const data = mode === "data";
  const known = data ? definition.dataSources : definition.resources;
  const what = data ? "data source" : "resource type";
  const suggestion = didYouMean(
    type,
    known.map((one) => one.type),
  );
  return errorAt(
    where,
    `Invalid ${what}`,
    `The provider ${definition.source} does not support ${what} ${JSON.stringify(type)}.${suggestion}`,
  );
}

function pick({ version, attributes }: { version: number; attributes: Attributes }) {
  return { version, attributes };
}
