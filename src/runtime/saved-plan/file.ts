import { createHash } from "node:crypto";
import { z } from "zod";
import { error, type Diagnostic } from "../../provider/diagnostics";

/** What the first line of every saved plan says. */
const FORMAT = "cdktf-console plan";

/** Raised with every change of the content that an older program could not read. */
const VERSION = 1;

const header = z.object({
  format: z.literal(FORMAT),
  version: z.int().positive(),
  /** Of the program that saved it, for people. */
  program: z.string(),
  /** Of all behind the first line: against accidents, not against forgers. */
  bytes: z.int().nonnegative(),
  sha256: z.string(),
});

/** Two lines of JSON: what the file is, with a checksum, and its content. */
export function formatFile(content: unknown, program: string): Buffer {
  const body = Buffer.from(`${JSON.stringify(content)}\n`);
  const first: z.infer<typeof header> = {
    format: FORMAT,
    version: VERSION,
    program,
    bytes: body.length,
    sha256: digestOf(body),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(first)}\n`), body]);
}

/** Whether a file claims to be a saved plan, intact or not. */
export function isSavedPlan(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 64)).toString("utf8");
  return start.startsWith(`{"format":${JSON.stringify(FORMAT)}`);
}

/** Whether a file may be a plan of Terraform's, which is a zip file. */
export function isTerraformPlan(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).toString("latin1") === "PK\u0003\u0004";
}

/** The content of a file; without it, the diagnostics say what is wrong with the file. */
export function parseFile(
  bytes: Uint8Array,
  location: string,
): { content?: unknown; diagnostics: readonly Diagnostic[] } {
  const fail = (detail: string) => ({
    diagnostics: [error(`Failed to load ${JSON.stringify(location)} as a plan file`, detail)],
  });
  if (isTerraformPlan(bytes)) {
    return fail(
      "It looks like one that Terraform saved: show and apply it with terraform, in the folder of its stack.",
    );
  }
  if (!isSavedPlan(bytes)) return fail("The file is no plan that this program saved.");
  const end = bytes.indexOf(0x0a);
  const first = end < 0 ? undefined : parseJson(bytes.subarray(0, end));
  const parsed = header.safeParse(first);
  if (!parsed.success) {
    return fail("The file is truncated or was altered: its first line is not whole. Plan again.");
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
  return { content: parseJson(body), diagnostics: [] };
}

export function digestOf(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
