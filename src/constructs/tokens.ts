import { Token, type IResolvable } from "cdktf";

/** A value or a token: a reference, the result of a function, a variable. */
export type OrToken<T> = T | IResolvable;

/** A string with known values, which editors offer. */
export type OneOf<T extends string> = T | (string & Record<never, never>);

/**
 * Reports whether a value is unknown until Terraform runs. cdktf encodes tokens in numbers, lists and
 * maps; a string is a token if a part of it is.
 */
export function isToken(value: unknown): boolean {
  // Most strings have none of the characters of a token: a brace, a bracket, an exponent.
  if (typeof value === "string" && !/[{[]|e\+/.test(value)) return false;
  if (typeof value === "boolean") return false;
  return Token.isUnresolved(value) || (typeof value === "string" && isTemplate(value));
}

// `$${` and `%%{` are escapes, not expressions.
const EXPRESSION = /(?<!\$)\$\{.+\}|(?<!%)%\{.+\}/s;

function isTemplate(text: string): boolean {
  return EXPRESSION.test(text) || numbersIn(text).some((number) => Token.isUnresolved(number));
}

// A number token in a string is a decimal number near -1.9e+289.
function numbersIn(text: string): number[] {
  return (text.match(/-\d+(?:\.\d+)?e\+\d+/g) ?? []).map(Number);
}
