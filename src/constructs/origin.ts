import type { TerraformStack } from "cdktf";

const ORIGIN = Symbol.for("cdktf-console/Origin");

/** Records where the data of a stack comes from, such as `tenants.yaml:12`, for its errors. */
export function setOrigin(stack: TerraformStack, origin: string): void {
  Object.defineProperty(stack, ORIGIN, { value: origin });
}

export function originOf(stack: TerraformStack): string | undefined {
  const origin: unknown = Object.getOwnPropertyDescriptor(stack, ORIGIN)?.value;
  return typeof origin === "string" ? origin : undefined;
}
