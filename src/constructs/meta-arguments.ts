import type { TerraformMetaArguments } from "cdktf";

/** Separates Terraform's meta-arguments from the props of the type; drops undefined props. */
export function splitProps(
  props: object,
  names: readonly (keyof TerraformMetaArguments)[],
): { meta: TerraformMetaArguments; own: object } {
  const isMeta = ([name]: [string, unknown]) => names.some((meta) => meta === name);
  const entries = Object.entries(props).filter(([, value]) => value !== undefined);
  return {
    meta: Object.fromEntries(entries.filter(isMeta)),
    own: Object.fromEntries(entries.filter((entry) => !isMeta(entry))),
  };
}
