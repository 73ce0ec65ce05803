import { memberOf, setMember } from "../core/member-of";
import { isExactNumber, toNumber, type JsonNumber } from "../core/json/lossless-json";

/** An object of a body, with all its members. */
export type Document = Readonly<Record<string, unknown>>;

export function isDocument(value: unknown): value is Document {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}

export function isInteger(value: JsonNumber): boolean {
  return typeof value === "number" ? Number.isInteger(value) : Number.isInteger(toNumber(value));
}

/** Adds the members of `template` that the document lacks, at any depth, after its own. */
export function filledIn(document: Document, template: Document): Document {
  const filled: Record<string, unknown> = { ...document };
  for (const [member, standard] of Object.entries(template)) {
    const found = memberOf(document, member);
    if (found === undefined) setMember(filled, member, standard);
    else if (isDocument(found) && isDocument(standard)) {
      setMember(filled, member, filledIn(found, standard));
    }
  }
  return filled;
}

/** True for null, "", an empty list, and objects with such members only. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isDocument(value) && Object.values(value).every(isEmpty);
}
