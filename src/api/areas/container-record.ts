import { z } from "zod";
import { jsonNumber } from "../json";
import type { Spellings } from "./spelling";
import { timestampSchema } from "./timestamp";

const text = z.string().nullish();

/**
 * A container record of GET containers (section 4.2), with every member that the console sent.
 * `scan_time` is read as `scanTime`, its other spelling: the end of the last scan.
 */
export const containerSchema = z.looseObject({
  _id: z.string(),
  hostname: text,
  scanTime: timestampSchema.nullish(),
  info: z
    .looseObject({
      name: text,
      complianceIssues: z
        .array(z.looseObject({ id: jsonNumber.nullish(), severity: text, title: text }))
        .nullish(),
    })
    .nullish(),
});
/** A container with the findings of its last scan (section 4.2). */
export type Container = z.infer<typeof containerSchema>;

export const containerSpellings: Spellings = { scan_time: "scanTime" };
