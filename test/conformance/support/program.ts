import { TOFU } from "../../opentofu/install";

/** True if the suite compares the executor with OpenTofu: CONFORMANCE=tofu. Default: Terraform. */
export const IS_TOFU = process.env.CONFORMANCE === "tofu";

/** The program that the suite compares the executor with. */
export const PROGRAM = IS_TOFU ? TOFU : "terraform";
