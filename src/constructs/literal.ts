/* Without the library of constructs, which a machine that adopts a console may lack. */

/** Escapes a text, so that no part of it is an expression of Terraform or a token of cdktf. */
export function literal(text: string): string {
  return text.replace(AMBIGUOUS, (found, token?: string) =>
    token === undefined && found.length === 1 ? found + found : `\${"${found}"}`,
  );
}

/**
 * Matches text to escape. A dollar or percent sign before a brace is doubled. Several of them, and the
 * first character of a text like a token, become an expression, with a dollar sign in front of it that
 * would escape the expression.
 */
const AMBIGUOUS = /(\$*(?:[$#&](?=\{TfToken\[)|-(?=\d+(?:\.\d+)?e\+\d)))|[$%]+(?=\{)/g;
