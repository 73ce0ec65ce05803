import { z } from "zod";
import type { Diagnostic } from "../../core/diagnostics";
import { REGISTRY } from "../../core/registries";
import type { ExpressionPosition } from "../expressions/expression";
import { otherBackend, readBackend, type BackendConfig } from "./backend-block";
import { REFUSALS, refusalDetail } from "../expressions/refusals";
import { isNoBlock } from "./block-lists";
import { errorAt } from "./located";
import { checkLabels, checkProviderName } from "./names";
import { block, checkShape, single, whatever } from "./shape";
import type { RequiredProvider } from "./stack-config";
import { checkProviderVersion } from "./version-constraint";

/** The settings of the `terraform` block. */
export interface TerraformSettings {
  readonly requiredVersion?: string;
  readonly requiredProviders: ReadonlyMap<string, RequiredProvider>;
  /** The names of providers that `provider_meta` blocks are for. */
  readonly providerMeta: readonly string[];
  readonly backend: BackendConfig;
}

const requiredProvider = z.union([
  z.string().transform((version) => ({ source: undefined, version })),
  z.strictObject({ source: z.string().optional(), version: z.string().optional() }),
]);

const settings = single(
  z.strictObject({
    "//": whatever,
    required_version: z.string().optional(),
    // The only edition of Terraform's language.
    language: z.literal("TF2021").optional(),
    provider_meta: single(z.record(z.string(), single(block)).nullable()).optional(),
    required_providers: single(z.record(z.string(), requiredProvider)).optional(),
    backend: single(z.record(z.string(), z.unknown()).nullable()).optional(),
    cloud: whatever,
    encryption: whatever,
  }),
);

const WHERE: ExpressionPosition = { address: "terraform", path: [] };

/** @param refused Takes the errors about unsupported parts, which leave the rest of the stack readable. */
export function readTerraformBlock(
  json: unknown,
  diagnostics: Diagnostic[],
  refused: Diagnostic[],
): TerraformSettings {
  const read = checkShape(settings, json ?? {}, WHERE, diagnostics);
  if (isBlock(read?.encryption)) {
    const detail = refusalDetail("The stack has an encryption block.", REFUSALS.encryption);
    refused.push(errorAt(WHERE, "Unsupported block", detail, ["encryption"]));
  }
  for (const [name, { version }] of Object.entries(read?.required_providers ?? {})) {
    const path = ["required_providers", name];
    checkProviderName(name, { ...WHERE, path }, diagnostics);
    if (version === undefined) continue;
    checkProviderVersion(version, WHERE, [...path, "version"], diagnostics);
  }
  for (const type of ["backend", "provider_meta"] as const) {
    const blocks = read?.[type];
    const where = { ...WHERE, path: [type] };
    const label = type === "backend" ? "type" : "name";
    if (blocks !== undefined) checkLabels(blocks, `${type} block's ${label}`, where, diagnostics);
  }
  for (const name of Object.keys(read?.provider_meta ?? {})) {
    checkProviderName(name, { ...WHERE, path: ["provider_meta", name] }, diagnostics);
  }
  return {
    ...(read?.required_version !== undefined && { requiredVersion: read.required_version }),
    requiredProviders: new Map(
      Object.entries(read?.required_providers ?? {}).map(([name, { source, version }]) => [
        name,
        requirement(name, source, version),
      ]),
    ),
    providerMeta: Object.keys(read?.provider_meta ?? {}),
    backend: isBlock(read?.cloud)
      ? otherBackend("cloud", ["cloud"])
      : readBackend(read?.backend ?? {}, diagnostics),
  };
}

function isBlock(value: unknown): boolean {
  return value !== undefined && !isNoBlock(value);
}

/** Returns the default source of a provider without `required_providers`. */
export function impliedProvider(name: string): RequiredProvider {
  const own = "terraform.io/builtin/terraform";
  const named =
    name === "terraform" ? { source: own, address: own } : requirement(name, undefined, undefined);
  return { ...named, isImplied: true };
}

function requirement(
  name: string,
  source = `hashicorp/${name}`,
  version: string | undefined,
): RequiredProvider {
  const parts = source.toLowerCase().split("/");
  const defaults = [REGISTRY, "hashicorp"].slice(0, Math.max(0, 3 - parts.length));
  return {
    source,
    address: [...defaults, ...parts].join("/"),
    ...(version !== undefined && { version }),
  };
}
