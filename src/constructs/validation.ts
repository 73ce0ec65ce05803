import { TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { formatPath, type Diagnostic, hasErrors } from "../provider/diagnostics";
import { inPropNames, propPath } from "./naming";
import { originOf } from "./origin";
import type { ReadProps } from "./read-props";
import type { ResourceListing } from "../provider/definitions/listing";
import type { Attributes } from "../provider/schema/attribute";
import { validateAttributes } from "../provider/schema/validate-attributes";
import type { ObjectValue } from "../provider/values";

/** Returns the errors of a construct, with paths of props; called when all constructs exist. */
export type Findings = () => readonly Diagnostic[];

/**
 * Makes cdktf refuse to synthesize while the construct has findings.
 *
 * cdktf validates stack by stack and stops at the first stack that fails. The first stack with one of
 * our constructs therefore reports the findings of all stacks, so that one error has all of them.
 */
export function validateAtSynth(construct: Construct, findings: Findings): void {
  Object.defineProperty(construct, FINDINGS, { value: findings });
  const stack = TerraformStack.of(construct);
  construct.node.addValidation({
    validate: () => findings().map((found) => sentence(found, originOf(stack))),
  });

  if (REPORTS in stack) return;
  Object.defineProperty(stack, REPORTS, { value: true });
  stack.node.addValidation({ validate: () => findingsOfOtherStacks(stack) });
}

const FINDINGS = Symbol.for("cdktf-console/Findings");
const REPORTS = Symbol.for("cdktf-console/ReportsForOtherStacks");

interface Validated extends IConstruct {
  readonly [FINDINGS]: Findings;
}

function isValidated(construct: IConstruct): construct is Validated {
  return FINDINGS in construct;
}

function sentence({ path, summary, detail }: Diagnostic, origin: string | undefined): string {
  const place = origin === undefined ? "" : `${origin}: `;
  const subject = path && path.length > 0 ? `${formatPath(path)}: ` : "";
  return `${place}${subject}${summary}. ${detail}`;
}

function findingsOfOtherStacks(stack: TerraformStack): string[] {
  const { root } = stack.node;
  if (firstStack(root) !== stack) return [];
  return root.node
    .findAll()
    .filter(isValidated)
    .filter((construct) => TerraformStack.of(construct) !== stack)
    .flatMap((construct) =>
      construct[FINDINGS]().map(
        (found) =>
          `[${construct.node.path}] ${sentence(found, originOf(TerraformStack.of(construct)))}`,
      ),
    );
}

/** Searches in the order in which cdktf synthesizes. */
function firstStack(construct: IConstruct): IConstruct | undefined {
  if (REPORTS in construct) return construct;
  for (const child of construct.node.children) {
    const found = firstStack(child);
    if (found) return found;
  }
  return undefined;
}

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
