/**
 * A stack of the resource `a`, which changes, the resource `b`, which depends on `a` and does not
 * change, and data sources that depend on them in all ways. Written for the memory provider, or for
 * Terraform's built-in provider.
 */
export interface Words {
  readonly resource: string;
  readonly data: string;
  /** Attributes of `a` and `b` that are known even if `a` changes. */
  readonly a: string;
  readonly b: string;
  /** The body of a data source. */
  readonly known: string;
  readonly take: (expression: string) => object;
  readonly bodies: (version: number) => { a: object; b: object };
}

/** The stack in the words; a version changes `a`. */
export function stack({ resource, data, a, b, known, take, bodies }: Words, version: number) {
  const one = bodies(version);
  const condition = (expression: string) => [
    { condition: `\${${expression} != ""}`, error_message: "Not met." },
  ];
  const reads = take(known);
  return {
    resource: { [resource]: { a: one.a, b: { ...one.b, depends_on: [`${resource}.a`] } } },
    locals: { of_a: `\${${a}}`, of_b: `\${${b} == "b" ? "${known}" : ""}` },
    data: {
      [data]: {
        independent: reads,
        explicit: { ...reads, depends_on: [`${resource}.a`] },
        reference: take(`\${${a}}`),
        counted: { ...reads, count: `\${${a} == "" ? 0 : 1}` },
        explicit_through_resource: { ...reads, depends_on: [`${resource}.b`] },
        reference_through_local: take("${local.of_a}"),
        explicit_through_local: { ...reads, depends_on: ["local.of_a"] },
        explicit_through_local_and_resource: { ...reads, depends_on: ["local.of_b"] },
        explicit_through_data: { ...reads, depends_on: [`data.${data}.explicit`] },
        conditioned: { ...reads, lifecycle: { precondition: condition(a) } },
        conditioned_through_resource: {
          ...take("${local.of_b}"),
          lifecycle: { postcondition: condition("local.of_b") },
        },
      },
    },
  };
}

/** The data sources that are read during the apply. */
export const DEFERRED = [
  "conditioned",
  "conditioned_through_resource",
  "counted",
  "explicit",
  "explicit_through_local",
  "explicit_through_local_and_resource",
  "reference",
];
