import { z } from "zod";

/** The result of one check. */
const finding = z
  .object({
    check: z.string().describe("The check, such as `license`."),
    subject: z
      .string()
      .describe("The collection or kind that was checked; empty for the whole console."),
    result: z.enum(["holds", "differs", "unknown"]),
    found: z.string().describe("What was found. Left out of a report where it has names."),
    write: z
      .string()
      .optional()
      .describe("What a write would meet. The exit code is 2 if a finding has it."),
  })
  .meta({ id: "finding" });

/** The format of `doctor --json`, and of its report, which names no console. Later versions add members only. */
export const examinationSchema = z.object({
  format_version: z.literal("1.0"),
  version: z.string().describe("The version of cdktf-console."),
  console: z.string().optional().describe("The address of the console."),
  release: z.string().describe("The release as which the console was examined."),
  findings: z.array(finding),
});

export type Examination = z.infer<typeof examinationSchema>;

/** A finding, and if its text has names, addresses or dates of the console. */
export type DoctorFinding = z.infer<typeof finding> & { readonly isPrivate?: true };

/** The document of an examination. A report leaves out all that is private. */
export function documentOf(
  {
    findings,
    ...rest
  }: Omit<Examination, "findings" | "format_version"> & {
    readonly findings: readonly DoctorFinding[];
  },
  use: "document" | "report",
): Examination {
  const { console, ...facts } = rest;
  return {
    format_version: "1.0",
    ...facts,
    ...(use === "document" && console !== undefined && { console }),
    findings: findings.map(({ isPrivate, ...shown }) => ({
      ...shown,
      found: use === "report" && isPrivate ? "" : shown.found,
    })),
  };
}
