import { TOFU } from "../../opentofu/install";
import { TERRAFORM_1_15 } from "../../terraform-1.15/install";

/** The program of CONFORMANCE, which the suite compares the executor with. Default: Terraform 1.11. */
const { CONFORMANCE } = process.env;

export const IS_TOFU = CONFORMANCE === "tofu";

export const PROGRAM = IS_TOFU
  ? TOFU
  : CONFORMANCE === "terraform-1.15"
    ? TERRAFORM_1_15
    : "terraform";
