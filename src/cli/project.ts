import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { error, type Diagnostic } from "../provider/diagnostics";
import { errorCode, errorText } from "../runtime/backends/durable-file";

const projectFile = z.looseObject({
  app: z.string().optional(),
  output: z.string().optional(),
  context: z.record(z.string(), z.unknown()).optional(),
});

/** What cdktf.json says of the app. */
export type Project = z.infer<typeof projectFile>;

/** Undefined where the folder has no cdktf.json; with errors where it cannot be used. */
export async function readProject(
  directory: string,
): Promise<{ project?: Project; diagnostics: readonly Diagnostic[] }> {
  const path = join(directory, "cdktf.json");
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    return errorCode(cause) === "ENOENT" ? { diagnostics: [] } : unusable(errorText(cause));
  }
  try {
    const parsed = projectFile.safeParse(JSON.parse(text));
    if (parsed.success) return { project: parsed.data, diagnostics: [] };
    return unusable(
      parsed.error.issues
        .map((issue) => `${issue.path.join(".") || "cdktf.json"}: ${issue.message}`)
        .join("; "),
    );
  } catch (cause) {
    return unusable(errorText(cause));
  }
}

function unusable(reason: string): { diagnostics: readonly Diagnostic[] } {
  return { diagnostics: [error("Unusable cdktf.json", `cdktf.json cannot be used: ${reason}`)] };
}
