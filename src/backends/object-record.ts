import { z } from "zod";
import { parseAddress } from "../core/documents/address";
import type { ObjectRecord } from "../core/documents/run-record";
import type { JsonTree } from "../core/json/format-json";
import { storedInstance } from "../formats/state-file/schema";
import { instanceTree } from "../formats/state-file/write";

/** Encodes what a run records of an object. Objects are as in state files. */
export function encodeObjectRecord(record: ObjectRecord): JsonTree {
  switch (record.kind) {
    case "start":
      return { ...record, before: record.before && instanceTree(record.before) };
    case "content":
      return { ...record, content: { ...record.content } };
    case "stored":
      return { ...record, after: record.after && instanceTree(record.after) };
  }
}

const address = z.string().refine((text) => parseAddress(text) !== undefined);

/** Reads what `encodeObjectRecord` returns, with the numbers of `parseJson`. */
export const objectRecord: z.ZodType<ObjectRecord> = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("start"),
    address,
    provider: z.string(),
    action: z.enum(["create", "read", "update", "delete"]),
    before: storedInstance.nullable(),
  }),
  z.object({
    kind: z.literal("content"),
    address,
    content: z.union([
      z.object({ found: z.string(), written: z.string(), foundLast: z.string() }),
      z.object({ found: z.string(), written: z.string() }),
      z.object({ digest: z.string() }),
      z.object({ hidden: z.literal(true) }),
    ]),
  }),
  z.object({ kind: z.literal("stored"), address, after: storedInstance.nullable() }),
]);
