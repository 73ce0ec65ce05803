import { z } from "zod";
import type { Labels } from "./labels";

const labelled = z.object({
  "//": z.object({ labels: z.record(z.string(), z.string()) }),
});

/** Reads the labels in a stack's cdk.tf.json. */
export function labelsOf(configuration: unknown): Labels {
  return labelled.safeParse(configuration).data?.["//"].labels ?? {};
}
