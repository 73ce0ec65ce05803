/**
 * The same JSON text as Go writes it, and with it Terraform: what HTML or JavaScript would take for
 * its own (`<`, `>`, `&`, the two line separators) as escapes.
 */
export function htmlSafe(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
