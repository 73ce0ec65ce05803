/** Escapes `<`, `>`, `&` and the two line separators in JSON, as Go and Terraform do. */
export function htmlSafe(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
