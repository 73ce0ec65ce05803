/** A text as Terraform spells it, so that nothing in it is taken for an expression. */
export function literal(text: string): string {
  return text.replace(/[$%](?=\{)/g, "$&$&");
}
