import { z } from "zod";

/** The labels that the app gave to a stack. */
export type Labels = Readonly<Record<string, string>>;

const labelled = z.object({
  "//": z.object({ labels: z.record(z.string(), z.string()) }),
});

/** Reads the labels in a stack's cdk.tf.json. */
export function labelsOf(configuration: unknown): Labels {
  return labelled.safeParse(configuration).data?.["//"].labels ?? {};
}

export function formatLabel(key: string, value: string): string {
  return `${key}=${value}`;
}
