import { z } from "zod";
import type { Diagnostic } from "../../provider/diagnostics";
import type { Where } from "../expressions/expression";
import { readAttribute, readBody } from "./body";
import { readLifecycle } from "./lifecycle";
import { readProviderReference } from "./provider-blocks";
import { readProvisioners, unsupportedConnection } from "./provisioners";
import { readReferences } from "./references";
import { errorAt } from "./located";
import { block, checkShape, single, whereOf } from "./shape";
import type { ResourceConfig } from "./stack-config";

const blocks = z.record(z.string(), z.record(z.string(), single(block)));
const dependsOn = z.array(z.string()).nullish();

const META_ARGUMENTS = ["count", "for_each", "depends_on", "provider", "lifecycle"];
const MANAGED_ONLY = ["provisioner", "connection"];

type Mode = "managed" | "data" | "ephemeral";

/** Reads the blocks of a mode, by address; undefined if they are not blocks. */
export async function readResources<M extends Mode>(
  json: unknown,
  mode: M,
  diagnostics: Diagnostic[],
): Promise<ReadonlyMap<string, ResourceConfig<M>> | undefined> {
  const resources = new Map<string, ResourceConfig<M>>();
  const where: Where = { address: mode === "managed" ? "resource" : mode, path: [] };
  const types = checkShape(single(blocks), json ?? {}, where, diagnostics);
  if (!types) return undefined;
  for (const [type, names] of Object.entries(types)) {
    for (const [name, content] of Object.entries(names)) {
      if (type === "//" || name === "//") continue;
      const resource = await readResource(mode, type, name, content, diagnostics);
      resources.set(resource.address, resource);
    }
  }
  return resources;
}

async function readResource<M extends Mode>(
  mode: M,
  type: string,
  name: string,
  json: Readonly<Record<string, unknown>>,
  diagnostics: Diagnostic[],
): Promise<ResourceConfig<M>> {
  const address = `${mode === "managed" ? "" : `${mode}.`}${type}.${name}`;
  const where = whereOf(address, json);
  const optional = async (attribute: string) => {
    const value = json[attribute];
    return value === undefined || value === null
      ? undefined
      : readAttribute(value, attribute, where, diagnostics);
  };
  const count = await optional("count");
  const forEach = await optional("for_each");
  if (count && forEach) {
    diagnostics.push(
      errorAt(
        where,
        'Invalid combination of "count" and "for_each"',
        'The "count" and "for_each" meta-arguments are mutually exclusive, only one should be used.',
        ["for_each"],
      ),
    );
  }
  if (mode === "managed" && json.connection !== undefined) {
    diagnostics.push(unsupportedConnection(where));
  }
  const own = mode === "managed" ? [...META_ARGUMENTS, ...MANAGED_ONLY] : META_ARGUMENTS;
  return {
    mode,
    type,
    name,
    address,
    where,
    body: await readBody(json, own, where, diagnostics),
    ...(count && { count }),
    ...(forEach && { forEach }),
    dependsOn: readDependencies(json.depends_on, where, diagnostics),
    provider: readProviderReference(json.provider, type, where, diagnostics),
    lifecycle: await readLifecycle(json.lifecycle, mode, where, diagnostics),
    provisioners:
      mode === "managed" ? await readProvisioners(json.provisioner, where, diagnostics) : [],
  };
}

export function readDependencies(json: unknown, where: Where, diagnostics: Diagnostic[]) {
  const at = { ...where, path: [...where.path, "depends_on"] };
  return readReferences(checkShape(dependsOn, json, at, diagnostics) ?? [], at, [], diagnostics);
}
