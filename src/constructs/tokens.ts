import { Token, type IResolvable } from "cdktf";

/** A value, or a token that gives one: a reference, a function's result, a variable. */
export type OrToken<T> = T | IResolvable;

/** Known values that an editor should offer, where any string token is welcome too. */
export type OneOf<T extends string> = T | (string & Record<never, never>);

/**
 * Whether a value is only known once Terraform runs. Numbers, lists and maps are tokens where cdktf
 * has encoded one in them; a string is one as soon as a part of it is.
 */
export function isToken(value: unknown): boolean {
  return Token.isUnresolved(value) || (typeof value === "string" && isTemplate(value));
}

// `$${` and `%%{` are Terraform's spellings of the text itself.
const EXPRESSION = /(?<!\$)\$\{.+\}|(?<!%)%\{.+\}/s;

function isTemplate(text: string): boolean {
  return EXPRESSION.test(text) || numbersIn(text).some((number) => Token.isUnresolved(number));
}

// A number token in a string is its decimal spelling, around -1.9e+289.
function numbersIn(text: string): number[] {
  return (text.match(/-\d+(?:\.\d+)?e\+\d+/g) ?? []).map(Number);
}
