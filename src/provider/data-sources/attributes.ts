import { isExactNumber, toNumber } from "../../api/json";
import { parseTimestamp } from "../../api/areas/timestamp";
import { canonicalJson } from "../collections/digest";
import { computed, string, type Kind } from "../schema/attribute";

/** JSON whose shape is not specified, as text in which equal values are equal. */
export const jsonAttribute = (what: string) =>
  computed(string(), `${what}, as JSON: read it with \`jsondecode\`. Members are sorted by name.`);

export const jsonText = canonicalJson;

/** ISO 8601 whatever the console sends; what is no point in time as it is. */
export function timeText(found: string | object | number | null | undefined): string | null {
  if (found === null || found === undefined) return null;
  const time = parseTimestamp(found);
  if (time) return time.toISOString();
  return typeof found === "string" ? found : canonicalJson(found);
}

/** What the console is known to send although no specification names it. */
export const knownAttribute = <K extends Kind>(type: K, what: string) =>
  computed(
    type,
    `${what} Null where the console does not send it: it is not in the specification.`,
  );

/** A text among members that are not specified; null for anything else. */
export function textOf(found: unknown): string | null {
  return typeof found === "string" && found !== "" ? found : null;
}

/** A number, however it is spelled; null for anything else. */
export function numberOf(found: unknown): number | null {
  return typeof found === "number" || isExactNumber(found) ? toNumber(found) : null;
}
