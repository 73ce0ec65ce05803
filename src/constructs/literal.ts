/**
 * A text as Terraform spells it, so that nothing in it is taken for an expression, nor for a token
 * of cdktf, which looks for its own anywhere in a text.
 */
export function literal(text: string): string {
  return text.replace(TAKEN_FOR_MORE, (found, token?: string) =>
    token === undefined && found.length === 1 ? found + found : `\${"${found}"}`,
  );
}

/**
 * A dollar or percent sign before a brace is doubled. Several of them, and the first character of
 * what looks like a token, are given by an expression; so is a dollar sign in front of that, which
 * would escape the expression.
 */
const TAKEN_FOR_MORE = /(\$*(?:[$#&](?=\{TfToken\[)|-(?=\d+(?:\.\d+)?e\+\d)))|[$%]+(?=\{)/g;
