import { z } from "zod";
import type { StackLabels } from "./labels";

const labelled = z.object({
  "//": z.object({ labels: z.record(z.string(), z.string()) }),
});

/** Reads the labels in a stack's cdk.tf.json. */
export function labelsOf(configuration: unknown): StackLabels {
  return labelled.safeParse(configuration).data?.["//"].labels ?? {};
}
