import { inPropNames, propPath } from "./naming";
import type { ReadProps } from "./read-props";
import { hasErrors, type Diagnostic } from "../provider/diagnostics";
import type { ResourceListing } from "../provider/definitions/listing";
import type { Attributes } from "../provider/schema/attribute";
import { validateAttributes } from "../provider/schema/validate-attributes";
import type { ObjectValue } from "../provider/values";

/** The part of a definition that constructs use. */
export interface ConstructDefinition {
  readonly type: string;
  readonly attributes: Attributes;
  readonly setup?: ResourceListing["setup"];
  readonly validate?:
    ((config: ObjectValue, connection: undefined) => readonly Diagnostic[]) | undefined;
}

/** Returns the errors of props: wrong types, and errors of the provider's checks with prop names. */
export function findingsOf(
  definition: Pick<ConstructDefinition, "attributes" | "validate">,
  props: ReadProps,
): Diagnostic[] {
  const { attributes } = definition;
  const errors = [
    ...validateAttributes(attributes, props.config),
    ...(definition.validate?.(props.config, undefined) ?? []),
  ].filter((diagnostic) => hasErrors([diagnostic]));
  const translated = errors.map((diagnostic) => ({
    ...diagnostic,
    summary: inPropNames(attributes, diagnostic.summary),
    detail: inPropNames(attributes, diagnostic.detail, diagnostic.path),
    ...(diagnostic.path && { path: propPath(attributes, diagnostic.path) }),
  }));
  return [...props.findings, ...translated];
}
