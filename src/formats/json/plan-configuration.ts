import { memberOf } from "../../core/member-of";
import type { ResourceDependencies } from "../../core/documents/stack-plan";
import { parseAddress } from "../../core/documents/address";
import type { PlanJson } from "./plan-schema";

/** The provider whose configuration has the endpoint of its objects. */
export interface EndpointProvider {
  /** `cdktf-console/cwp` */
  readonly source: string;
  /** The arguments that name the endpoint. Only the first one is required. */
  readonly arguments: readonly string[];
  /** Returns the endpoint of these arguments as plans show it; undefined if there is none. */
  readonly endpointOf: (values: readonly (string | undefined)[]) => string | undefined;
}

/** Finds the endpoint of a resource by its address; undefined if the plan does not show it. */
export function endpointsIn(
  plan: PlanJson,
  provider: EndpointProvider,
): (address: string) => string | undefined {
  const { provider_config: providers = {}, root_module: root } = plan.configuration ?? {};
  const endpoints = new Map(
    Object.entries(providers).flatMap(([key, { full_name: name, expressions }]) =>
      name?.endsWith(`/${provider.source}`) === true
        ? [[key, endpointIn(expressions, plan, provider)]]
        : [],
    ),
  );
  const keys = new Map(
    root?.resources?.map(({ address, provider_config_key: key }) => [address, key]),
  );
  const [only, ...others] = endpoints.values();
  return (address) => {
    const key = keys.get(configuredAddress(address));
    if (key !== undefined) return endpoints.get(key);
    // Resources that are no longer configured, and those of modules, have no key.
    return others.length === 0 ? only : undefined;
  };
}

function endpointIn(
  expressions: Readonly<Record<string, unknown>> | undefined,
  plan: PlanJson,
  provider: EndpointProvider,
): string | undefined {
  const values = provider.arguments.map((name) => {
    const expression = memberOf(expressions, name);
    return { isSet: expression !== undefined, text: textOf(expression, plan) };
  });
  const isShown = values.every(({ isSet, text }) => !isSet || text !== undefined);
  return isShown ? provider.endpointOf(values.map(({ text }) => text)) : undefined;
}

/** A constant, or the value of a variable. */
function textOf(expression: unknown, { variables }: PlanJson): string | undefined {
  const constant = member(expression, "constant_value");
  const [reference] = textsIn(member(expression, "references"));
  const name = reference?.startsWith("var.") === true ? reference.slice("var.".length) : undefined;
  const value = constant ?? (name === undefined ? undefined : memberOf(variables, name)?.value);
  return typeof value === "string" ? value : undefined;
}

/** The dependencies of the resources in the root module. */
export function dependenciesIn({ configuration }: PlanJson): readonly ResourceDependencies[] {
  const blocks = configuration?.root_module?.resources ?? [];
  const known = new Set(blocks.map(({ address }) => address));
  return blocks.map(({ address, expressions, depends_on: dependsOn = [] }) => {
    const references = [...dependsOn, ...referencesIn(expressions)].map(referredTo);
    const needs = new Set(references.filter((one) => known.has(one) && one !== address));
    return { resource: address, needs: [...needs].sort() };
  });
}

function referencesIn(expression: unknown): readonly string[] {
  if (Array.isArray(expression)) return expression.flatMap(referencesIn);
  if (typeof expression !== "object" || expression === null) return [];
  return Object.entries(expression).flatMap(([name, inner]) =>
    name === "references" ? textsIn(inner) : referencesIn(inner),
  );
}

/** `cwp_license.license` of `cwp_license.license.key_fingerprint`. */
function referredTo(reference: string): string {
  const steps = reference.split(".");
  return steps
    .slice(0, steps[0] === "data" ? 3 : 2)
    .join(".")
    .replace(/\[.*$/, "");
}

/** The address without instance keys. */
function configuredAddress(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed || parsed.module !== undefined) return address;
  return `${parsed.mode === "data" ? "data." : ""}${parsed.type}.${parsed.name}`;
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return memberOf(value as Readonly<Record<string, unknown>>, name);
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
