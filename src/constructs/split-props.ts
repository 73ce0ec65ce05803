import type { TerraformMetaArguments } from "cdktf";
import { Construct } from "constructs";

export function isPlainObject(value: unknown): value is object {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !Construct.isConstruct(value)
  );
}

/**
 * Separates Terraform's meta-arguments from the props of the type; drops undefined props. Props that
 * are no object are own props, for `readProps` to refuse.
 */
export function splitProps(
  props: unknown,
  names: readonly (keyof TerraformMetaArguments)[],
): { meta: TerraformMetaArguments; own: unknown } {
  if (props !== undefined && !isPlainObject(props)) return { meta: {}, own: props };
  const isMeta = ([name]: [string, unknown]) => names.some((meta) => meta === name);
  const entries = Object.entries({ ...props }).filter(([, value]) => value !== undefined);
  return {
    meta: Object.fromEntries(entries.filter(isMeta)),
    own: Object.fromEntries(entries.filter((entry) => !isMeta(entry))),
  };
}
