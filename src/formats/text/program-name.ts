import type { TextOptions } from "./style";

/** Terraform's phrases, and what the short form says instead: it is the text of this program. */
const OWN: readonly (readonly [phrase: string, own: string])[] = [
  ["outside of Terraform", "outside of the stacks"],
  ['"terraform apply"', "apply"],
  ["by Terraform", "by the stack"],
  ["Terraform state", "state"],
  ["Terraform", "cdktf-console"],
];

/** Returns a text of Terraform as it is for plans in Terraform's layout, else in the own wording. */
export function inWordingOf({ attributes }: Pick<TextOptions, "attributes">, text: string): string {
  if (attributes) return text;
  return OWN.reduce((said, [phrase, own]) => said.replaceAll(phrase, own), text);
}
