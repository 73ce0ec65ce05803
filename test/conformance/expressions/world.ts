import { UNKNOWN } from "../../../src/provider/values";
import type { Evaluated } from "../../../src/runtime/expressions/evaluated";

/** Declares the names that expressions of the table refer to. `x` is created by the plan. */
export const CONFIGURATION = `
resource "terraform_data" "x" {
  input = "a"
}
locals {
  m = { a = 1, b = 2 }
  template = "hello $\${name}%%{ if loud }!%%{ endif }"
}
`;

/** The values of the same names for the executor. */
export const NAMES: Readonly<Record<string, Evaluated>> = {
  "terraform_data.x": { id: UNKNOWN, input: "a", output: UNKNOWN, triggers_replace: null },
  "local.m": { a: 1, b: 2 },
  "local.template": "hello ${name}%{ if loud }!%{ endif }",
};
