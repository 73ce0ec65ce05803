import { memberOf } from "../../core/member-of";
import { globMatcher } from "./glob";
import type { StackLabels } from "./labels";

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

/** Returns a function that reports whether labels satisfy the filter. */
export function labelMatcher({ key, value }: LabelFilter): (labels: StackLabels) => boolean {
  const matches = globMatcher(value);
  return (labels) => {
    const found = Object.hasOwn(labels, key) ? memberOf(labels, key) : undefined;
    return found !== undefined && matches(found);
  };
}
