import { z } from "zod";
import type { Diagnostic } from "../../provider/diagnostics";
import type { Where } from "../expressions/expression";
import { readBody } from "./body";
import { errorAt } from "./located";
import { block, checkShape, repeated, whereOf } from "./shape";
import type { ProviderBlock, ProviderReference } from "./stack-config";

const blocks = z.record(z.string(), repeated(block));
const alias = z.string().optional();

/** Reads the `provider` blocks, by `name` or `name.alias`; undefined if they are not blocks. */
export async function readProviders(
  json: unknown,
  stack: string,
  diagnostics: Diagnostic[],
): Promise<ReadonlyMap<string, ProviderBlock> | undefined> {
  const providers = new Map<string, ProviderBlock>();
  const where: Where = { address: "provider", path: [] };
  const read = checkShape(blocks, json ?? {}, where, diagnostics);
  if (!read) return undefined;
  for (const [name, configurations] of Object.entries(read)) {
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
  const given = checkShape(
    alias,
    json.alias,
    whereOf(`provider.${name}`, json, stack),
    diagnostics,
  );
  const reference: ProviderReference = { name, ...(given !== undefined && { alias: given }) };
  const where = whereOf(`provider.${providerKey(reference)}`, json, stack);
  const body = await readBody(json, ["alias", "version"], where, diagnostics);
  return { ...reference, where, body };
}

/** Returns the name of a provider in its stack: `cwp`, or `cwp.eu` with an alias. */
export function providerKey({ name, alias: given }: ProviderReference): string {
  return given === undefined ? name : `${name}.${given}`;
}

/** A pattern, because `null.eu` is not a traversal. */
const REFERENCE = /^(?:\$\{)?([\w-]+)(?:\.([\w-]+))?\}?$/;

/** Reads the `provider` argument of a resource; the default is the prefix of its type. */
export function readProviderReference(
  json: unknown,
  type: string,
  where: Where,
  diagnostics: Diagnostic[],
): ProviderReference {
  const implied = { name: type.split("_")[0] ?? type };
  if (json === undefined || json === null) return implied;
  const [, name, given] = (typeof json === "string" ? REFERENCE.exec(json) : null) ?? [];
  if (name !== undefined) return { name, ...(given !== undefined && { alias: given }) };
  diagnostics.push(
    errorAt(
      where,
      "Invalid provider reference",
      'The provider must be named as "NAME" or "NAME.ALIAS".',
      ["provider"],
    ),
  );
  return implied;
}
