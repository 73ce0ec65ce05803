import type { z } from "zod";
import { memberOf } from "../member-of";

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** Message for a missing value. */
export const MISSING = "is missing";

/**
 * Describes an issue of zod for users, as in `must be one of "a", "b"`. Pass it to a parse as its
 * `error`; messages of the schema itself take precedence. Messages contain no value.
 */
export const schemaMessages: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return MISSING;
      return `must be ${memberOf(TYPES, issue.expected) ?? `of type ${issue.expected}`}`;
    case "invalid_value":
      if (issue.input === undefined) return MISSING;
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(shown).join(", ")}`;
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return `must be ${issue.maximum} or less`;
    case "invalid_format":
      return issue.format === "base64" ? "must be base64" : undefined;
    case "invalid_key":
      return issue.issues[0]?.message;
    case "invalid_union":
      return "has an invalid form";
    default:
      return undefined;
  }
};

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function tooSmall({
  origin,
  minimum,
  inclusive,
}: Pick<z.core.$ZodIssueTooSmall, "origin" | "minimum" | "inclusive">): string {
  if (origin === "string") return "must not be empty: give it a text";
  if (origin !== "number" && origin !== "int") return "must not be empty: give it an entry";
  return inclusive === false ? `must be more than ${minimum}` : `must be ${minimum} or more`;
}
