import { isUtf8 } from "node:buffer";
import { isRecord, memberOf } from "../../core/member-of";
import { formatJsonPath } from "../check";
import { SchemaMismatchError } from "../errors";

type Path = readonly (string | number)[];

/**
 * Decodes the JSON of an answer. Throws a SchemaMismatchError that names the first bad entry if it is not
 * UTF-8: decoded anyway, it would be written back with other characters.
 *
 * @param at The place of the text in the answer. Default: it is the answer.
 */
export function validText(request: string, bytes: Buffer, at: Path = []): string {
  if (isUtf8(bytes)) return bytes.toString();
  const { path, entry } = placeOfInvalid(bytes);
  const whole = [...at, ...path];
  const named = entry === undefined ? "" : ` (${JSON.stringify(entry)})`;
  throw new SchemaMismatchError(
    `${request} answered text that is not UTF-8, first at ${formatJsonPath(whole)}${named}. It is not used: it would be written back with other characters. Correct this text on the console.`,
    whole,
  );
}

/** A place in JSON, and the name of the entry of a list that it is in. */
interface Place {
  readonly path: Path;
  readonly entry?: string | undefined;
}

/** Returns the place of the first bytes that are not UTF-8; the whole if the text is no JSON. */
function placeOfInvalid(bytes: Buffer): Place {
  const decoded = Buffer.from(bytes.toString());
  const first = bytes.findIndex((byte, index) => byte !== decoded[index]);
  const mark = markFor(bytes);
  const parts = [bytes.subarray(0, first), Buffer.from(mark), bytes.subarray(first)];
  try {
    return placeOf(JSON.parse(Buffer.concat(parts).toString()), mark) ?? { path: [] };
  } catch {
    return { path: [] };
  }
}

/** A text that the answer does not have. */
function markFor(bytes: Buffer, mark = "invalid"): string {
  return bytes.includes(mark) ? markFor(bytes, `${mark}-`) : mark;
}

function placeOf(json: unknown, mark: string): Place | undefined {
  if (typeof json === "string") return json.includes(mark) ? { path: [] } : undefined;
  const members: readonly (readonly [string | number, unknown])[] = Array.isArray(json)
    ? [...json.entries()]
    : isRecord(json)
      ? Object.entries(json)
      : [];
  for (const [step, member] of members) {
    if (String(step).includes(mark)) return { path: [String(step).replace(mark, "")] };
    const place = placeOf(member, mark);
    if (!place) continue;
    const name =
      typeof step === "number" && isRecord(member) ? memberOf(member, "name") : undefined;
    const entry = typeof name === "string" ? name.replace(mark, "") : undefined;
    return { path: [step, ...place.path], entry: place.entry ?? entry };
  }
  return undefined;
}
