import { TOFU } from "../../opentofu/install";
import { TERRAFORM_1_15 } from "../../terraform-1.15/install";

/** The program of CONFORMANCE, which the suite compares the executor with. Default: Terraform 1.11. */
const { CONFORMANCE } = process.env;

export const IS_TOFU = CONFORMANCE === "tofu";

/** docs/guides/engines.md lists how it differs from the executor, which follows 1.11. */
export const IS_NEWER = CONFORMANCE === "terraform-1.15";

export const PROGRAM = IS_TOFU ? TOFU : IS_NEWER ? TERRAFORM_1_15 : "terraform";

/** How programs differ from Terraform 1.11 by design. */
export interface ByDesign {
  readonly opentofu?: string;
  readonly newer?: string;
}

/** `OpenTofu does not …`, if the program of the suite differs. */
export function differenceOf({ opentofu, newer }: ByDesign): string | undefined {
  if (IS_TOFU) return opentofu && `OpenTofu ${opentofu}`;
  return IS_NEWER ? newer && `Terraform 1.15 ${newer}` : undefined;
}
