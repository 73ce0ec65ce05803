import { join } from "node:path";
import { z } from "zod";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { schemaMessages } from "../../provider/schema/schema-messages";
import { readJsonFile } from "../../runtime/config/json-file";

const projectFile = z.looseObject({
  app: z.string().optional(),
  output: z.string().optional(),
  context: z.record(z.string(), z.unknown()).optional(),
});

/** Settings of cdktf.json that concern the app. */
export type Project = z.infer<typeof projectFile>;

/** Reads cdktf.json. `project` is undefined if the folder has none, or after an error. */
export async function readProject(
  directory: string,
): Promise<{ project?: Project; diagnostics: readonly Diagnostic[] }> {
  const read = await readJsonFile(join(directory, "cdktf.json"));
  if (read.kind === "missing") return { diagnostics: [] };
  if (read.kind === "faulty") return { diagnostics: [read.diagnostic] };
  const parsed = projectFile.safeParse(read.json, { error: schemaMessages });
  if (parsed.success) return { project: parsed.data, diagnostics: [] };
  const problems = parsed.error.issues.map(({ path, message }) =>
    error("Invalid cdktf.json", `${path.length > 0 ? `"${path.join(".")}"` : "It"} ${message}.`),
  );
  return { diagnostics: problems };
}
