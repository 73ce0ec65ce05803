import type { AttributePath } from "../../core/values";
import { formatSubject, type Reference } from "../expressions/reference";
import type { InstanceKey } from "../../core/documents/state";
import type { ResourceConfig, StackConfig } from "./stack-config";

/** Returns the resource or data source that a reference names, if it is declared. */
export function blockOf(
  { resources, dataSources }: StackConfig,
  { subject }: Reference,
): ResourceConfig | undefined {
  if (subject.kind !== "resource") return undefined;
  return (subject.mode === "data" ? dataSources : resources).get(formatSubject(subject));
}

/** Splits the path of a reference to `block` into the instance key and the rest. */
export function splitKey(
  { path }: Reference,
  block: ResourceConfig | undefined,
): { readonly key: InstanceKey | undefined; readonly path: AttributePath } {
  const [first, ...rest] = path;
  const isKey =
    block !== undefined &&
    (typeof first === "number" || (first !== undefined && block.forEach !== undefined));
  return isKey ? { key: first, path: rest } : { key: undefined, path };
}
