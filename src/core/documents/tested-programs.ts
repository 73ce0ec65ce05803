/**
 * The releases that the tests run. The README and the page of the engines name them, and the first
 * one of Terraform is that of the embedded executor.
 */
export const TESTED_PROGRAMS = {
  terraform: ["1.11.4", "1.15.5"],
  opentofu: ["1.12.6"],
} as const;
