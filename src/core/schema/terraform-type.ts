/** A type constraint, as Terraform's JSON formats spell it. */
export type TerraformType =
  | "string"
  | "number"
  | "bool"
  | "dynamic"
  | readonly ["list" | "set" | "map", TerraformType]
  | readonly ["object", { readonly [name: string]: TerraformType }]
  | readonly ["tuple", readonly TerraformType[]];

/** Reports whether a JSON value is a type as the protocol sends it. */
export function isTerraformType(json: unknown): json is TerraformType {
  if (typeof json === "string") return ["string", "number", "bool", "dynamic"].includes(json);
  if (!Array.isArray(json) || json.length < 2) return false;
  const [kind, inner] = json as readonly unknown[];
  if (kind === "tuple") return Array.isArray(inner) && inner.every(isTerraformType);
  if (kind === "object") return isRecord(inner) && Object.values(inner).every(isTerraformType);
  return ["list", "set", "map"].some((one) => one === kind) && isTerraformType(inner);
}

/** Reports whether a value is an object, and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
