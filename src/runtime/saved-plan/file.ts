import { createHash } from "node:crypto";
import { z } from "zod";
import { error, type Diagnostic } from "../../core/diagnostics";
import { formatJson, struct, type JsonTree } from "../../core/json/format-json";
import { isExactNumber, parseJson } from "../../core/json/lossless-json";
import { exactNumber } from "../../core/values";

/** The format in the first line of every saved plan. */
const FORMAT = "cdktf-console plan";

/** Increased with every change that older programs cannot read. */
const VERSION = 6;

const header = z.object({
  format: z.literal(FORMAT),
  version: z.int().positive(),
  /** The version of the program that saved it, to be displayed. */
  program: z.string(),
  /** The length and the digest of everything after the first line; they detect accidents, not forgery. */
  bytes: z.int().nonnegative(),
  sha256: z.string(),
});

/** Formats a file as lines of JSON: a header with a checksum, and the parts of the content. */
export function formatFile(parts: readonly unknown[], program: string): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(`${formatLine(part)}\n`)));
  const first: z.infer<typeof header> = {
    format: FORMAT,
    version: VERSION,
    program,
    bytes: body.length,
    sha256: digestOf(body),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(first)}\n`), body]);
}

/** Formats a part of the content as JSON in one line. */
export function formatLine(part: unknown): string {
  return formatJson(asFound(part));
}

/** Reports whether a file has the header of a saved plan, intact or not. */
export function isSavedPlan(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 64)).toString("utf8");
  return start.startsWith(`{"format":${JSON.stringify(FORMAT)}`);
}

/** Reports whether a file may be a plan of Terraform, which is a zip file. */
export function isTerraformPlan(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).toString("latin1") === "PK\u0003\u0004";
}

/** Parses a file. Without its parts, the diagnostics have the error. */
export function parseFile(
  bytes: Uint8Array,
  location: string,
): { parts?: readonly unknown[]; diagnostics: readonly Diagnostic[] } {
  const fail = (detail: string) => ({
    diagnostics: [error(`Failed to load ${JSON.stringify(location)} as a plan file`, detail)],
  });
  if (isTerraformPlan(bytes)) {
    return fail(
      "It looks like one that Terraform saved: show and apply it with terraform, in the folder of its stack.",
    );
  }
  if (!isSavedPlan(bytes))
    return fail('The file is not a plan that this program saved. Save one with "plan --out FILE".');
  const end = bytes.indexOf(0x0a);
  const first = end < 0 ? undefined : parseLine(bytes.subarray(0, end));
  const parsed = header.safeParse(first);
  if (!parsed.success) {
    return fail("The file is truncated or was altered: its first line is incomplete. Plan again.");
  }
  const { version, program, bytes: length, sha256 } = parsed.data;
  if (version !== VERSION) {
    return fail(
      `The file has version ${version} of the format, from cdktf-console ${program}; this program knows version ${VERSION}. Apply it with the program that saved it, or plan again.`,
    );
  }
  const body = bytes.subarray(end + 1);
  if (body.length < length) {
    return fail(
      `The file is truncated: ${length - body.length} of ${length} bytes are missing. Plan again.`,
    );
  }
  if (body.length > length || digestOf(body) !== sha256) {
    return fail(
      "The file was altered after it was saved: its checksum does not match. Plan again.",
    );
  }
  return { parts: splitLines(body).map(parseLine), diagnostics: [] };
}

export function digestOf(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Splits at line breaks: a whole file may be longer than the longest string. */
function splitLines(body: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < body.length;) {
    const end = body.indexOf(0x0a, start);
    lines.push(body.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

/** Keeps the order of members, which a configuration has, and all digits of numbers. */
function asFound(part: unknown): JsonTree {
  if (Array.isArray(part)) return part.map(asFound);
  if (isExactNumber(part) || typeof part === "string" || typeof part === "boolean") return part;
  // A configuration may have 1e999 where nothing reads it.
  if (typeof part === "number") return Number.isFinite(part) ? part : null;
  if (typeof part !== "object" || part === null) return null;
  return struct(
    Object.entries(part).map(([key, member]) => [
      key,
      member === undefined ? undefined : asFound(member),
    ]),
  );
}

/** Parses a line, whose numbers keep all digits. Undefined if it is not JSON. */
export function parseLine(bytes: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(bytes).toString("utf8"), exactNumber);
  } catch {
    return undefined;
  }
}
