import { z } from "zod";
import type { Diagnostic } from "../../core/diagnostics";
import { REFUSALS, refusalDetail } from "../expressions/refusals";
import type { ExpressionPosition } from "../expressions/expression";
import { readBody } from "./body";
import { errorAt } from "./located";
import { checkAlias, checkLabels, checkProviderName } from "./names";
import { block, checkShape, repeatedBlock, whereOf } from "./shape";
import type { ProviderBlock, ProviderReference } from "./stack-config";
import { checkProviderVersion } from "./version-constraint";

const blocks = z.record(z.string(), repeatedBlock(block));

/** Reads the `provider` blocks, by `name` or `name.alias`; undefined if they are not blocks. */
export async function readProviders(
  json: unknown,
  stack: string,
  diagnostics: Diagnostic[],
): Promise<ReadonlyMap<string, ProviderBlock> | undefined> {
  const providers = new Map<string, ProviderBlock>();
  const where: ExpressionPosition = { address: "provider", path: [] };
  if (json === undefined) return providers;
  const read = checkShape(blocks.nullable(), json, where, diagnostics);
  if (read === undefined) return undefined;
  checkLabels(read, "provider block's name", where, diagnostics);
  for (const [name, configurations] of Object.entries(read ?? {})) {
    checkProviderName(name, { ...where, path: [name] }, diagnostics);
    for (const configuration of configurations) {
      const provider = await readProvider(name, configuration, stack, diagnostics);
      const key = providerKey(provider);
      if (providers.has(key)) {
        diagnostics.push(
          errorAt(
            provider.where,
            "Duplicate provider configuration",
            `There is more than one configuration for provider ${key}. Give each additional one a different alias.`,
          ),
        );
      }
      providers.set(key, provider);
    }
  }
  return providers;
}

async function readProvider(
  name: string,
  json: Readonly<Record<string, unknown>>,
  stack: string,
  diagnostics: Diagnostic[],
): Promise<ProviderBlock> {
  const reference: ProviderReference = {
    name,
    ...(typeof json.alias === "string" && { alias: json.alias }),
  };
  const where = whereOf(`provider.${providerKey(reference)}`, json, stack);
  if (json.alias !== undefined) checkAlias(json.alias, where, diagnostics);
  if (json.version !== undefined && json.version !== null) {
    checkProviderVersion(json.version, where, ["version"], diagnostics);
  }
  if (json.for_each !== undefined) {
    const detail = refusalDetail("The provider has for_each.", REFUSALS.providerForEach);
    diagnostics.push(errorAt(where, "Unsupported argument", detail, ["for_each"]));
  }
  const body = await readBody(json, ["alias", "version", "for_each"], where, diagnostics);
  return { ...reference, where, body };
}

/** Returns the name of a provider in its stack: `cwp`, or `cwp.eu` with an alias. */
export function providerKey({ name, alias: given }: ProviderReference): string {
  return given === undefined ? name : `${name}.${given}`;
}

/** A pattern, because `null.eu` is not a traversal. */
const REFERENCE = /^([\w-]+)(?:\.([\p{ID_Start}_][\p{ID_Continue}-]*))?(\[.+\])?$/u;

/** Reads the `provider` argument of a resource; the default is the prefix of its type. */
export function readProviderReference(
  json: unknown,
  type: string,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): ProviderReference {
  const implied = { name: type.split("_")[0] ?? type };
  if (json === undefined) return implied;
  const [, name, given, key] = (typeof json === "string" ? REFERENCE.exec(json) : null) ?? [];
  if (name !== undefined) {
    if (key !== undefined) {
      const detail = refusalDetail("The block names an instance.", REFUSALS.providerForEach);
      diagnostics.push(errorAt(where, "Unsupported reference", detail, ["provider"]));
    }
    return { name, ...(given !== undefined && { alias: given }) };
  }
  diagnostics.push(
    errorAt(
      where,
      "Invalid provider configuration reference",
      "The provider argument requires a provider type name, optionally followed by a period and then a configuration alias.",
      ["provider"],
    ),
  );
  return implied;
}
