/** Of what the embedded executor refuses. */
export const ONLY_TERRAFORM =
  "Stacks that use it are Terraform's to run: see [Engines](../guides/engines.md).";
