import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { z } from "zod";
import { reviewSchema } from "../../src/review/json/review-schema";
import { ROOT } from "./definitions";
import type { Generated } from "./files";

const FILE = join(ROOT, "docs/review.schema.json");

/** Generates the published JSON Schema of the review. */
export async function reviewSchemaFile(): Promise<Generated> {
  // Later versions add members, so unknown ones are allowed.
  const schema = z.toJSONSchema(reviewSchema, { io: "input" });
  const document = { title: "Review of a plan by cdktf-console", ...schema };
  const text = await format(JSON.stringify(document), {
    ...(await resolveConfig(FILE)),
    parser: "json",
  });
  return { files: new Map([[FILE, text]]), folders: [] };
}
