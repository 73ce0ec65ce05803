import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { z } from "zod";
import { contractSchema } from "../../src/cli/contract/contract-schema";
import { examinationSchema } from "../../src/cli/doctor/finding";
import { fileSchema } from "../../src/constructs/tenants/tenant-row";
import { reviewSchema } from "../../src/review/json/review-schema";
import { rolloutSchema } from "../../src/temporal";
import { statusSchema } from "../../src/review/status/status-schema";
import { ROOT } from "./definitions";
import type { Generated } from "./files";

/** Generates the published JSON Schemas: of reviews, contracts, the status, examinations, runs and tenants. */
export async function jsonSchemas(): Promise<Generated> {
  // Later versions of the review add members, so unknown ones are allowed.
  const review = z.toJSONSchema(reviewSchema, { io: "input" });
  const contract = z.toJSONSchema(contractSchema, { io: "input" });
  const tenants = z.toJSONSchema(fileSchema(), { io: "input" });
  const status = z.toJSONSchema(statusSchema, { io: "input" });
  const examination = z.toJSONSchema(examinationSchema, { io: "input" });
  const rollout = z.toJSONSchema(rolloutSchema, { io: "input" });
  const files = await Promise.all([
    schemaFile("docs/review.schema.json", "Review of a plan by cdktf-console", review),
    schemaFile("docs/protection.schema.json", "Protection contract of cdktf-console", contract),
    schemaFile("docs/status.schema.json", "Status of tenants by cdktf-console", status),
    schemaFile("docs/doctor.schema.json", "Examination of a console by cdktf-console", examination),
    schemaFile("docs/rollout.schema.json", "Run of cdktf-console on Temporal", rollout),
    schemaFile("docs/tenants.schema.json", "File of tenants of cdktf-console", tenants),
  ]);
  return { files: new Map(files), folders: [] };
}

async function schemaFile(path: string, title: string, schema: object): Promise<[string, string]> {
  const file = join(ROOT, path);
  const style = await resolveConfig(file);
  return [file, await format(JSON.stringify({ title, ...schema }), { ...style, parser: "json" })];
}
