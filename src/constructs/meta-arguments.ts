import type { TerraformMetaArguments } from "cdktf";

/** Terraform's arguments of a block, apart from those of its type; what is undefined is not there. */
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
