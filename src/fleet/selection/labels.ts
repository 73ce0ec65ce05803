import { z } from "zod";
import { globMatcher } from "./glob";

/** The labels that the app gave to a stack. */
export type Labels = Readonly<Record<string, string>>;

const labelled = z.object({
  "//": z.object({ labels: z.record(z.string(), z.string()) }),
});

/** Reads the labels in a stack's cdk.tf.json. */
export function labelsOf(configuration: unknown): Labels {
  return labelled.safeParse(configuration).data?.["//"].labels ?? {};
}

/** A condition on one label. */
export interface LabelFilter {
  readonly key: string;
  /** A value or a glob pattern. */
  readonly value: string;
}

/** Parses `KEY=VALUE`. Undefined for another text. */
export function parseLabel(text: string): LabelFilter | undefined {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  return key === undefined || value === undefined ? undefined : { key, value };
}

export function formatLabel(key: string, value: string): string {
  return `${key}=${value}`;
}

/** Returns a function that reports whether labels satisfy the filter. */
export function labelMatcher({ key, value }: LabelFilter): (labels: Labels) => boolean {
  const matches = globMatcher(value);
  return (labels) => {
    const found = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return found !== undefined && matches(found);
  };
}
