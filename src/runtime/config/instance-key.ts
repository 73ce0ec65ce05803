import type { AttributePath } from "../../provider/values";
import { formatSubject, type Reference } from "../expressions/reference";
import type { InstanceKey } from "../state/state";
import type { ResourceConfig, StackConfig } from "./stack-config";

/** The block of a resource or data source that a reference names; undefined where it names none. */
export function blockOf(
  { resources, dataSources }: StackConfig,
  { subject }: Reference,
): ResourceConfig | undefined {
  if (subject.kind !== "resource") return undefined;
  return (subject.mode === "data" ? dataSources : resources).get(formatSubject(subject));
}

/** The instance key that a reference to `block` names, and the path behind it. */
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
