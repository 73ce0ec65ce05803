import { TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { formatPath, type Diagnostic, hasErrors, reword } from "../core/diagnostics";
import { callSiteOf, callSiteText, type CallSite } from "./call-site";
import { inPropNames, propPath } from "./naming";
import { originOf } from "./origin";
import { excludeTenant, isExcludedTenant } from "./tenants/exclude-tenant";
import type { ReadProps } from "./read-props";
import type { ResourceListing } from "../provider/listing";
import type { Attributes } from "../core/schema/attribute";
import { validateAttributes } from "../core/schema/validate-attributes";
import type { ObjectValue } from "../core/values";

/** Returns the errors of a construct, with paths of props; called when all constructs exist. */
export type ValidationFindings = () => readonly Diagnostic[];

/**
 * Makes cdktf refuse to synthesize while the construct has findings.
 *
 * cdktf validates stack by stack and stops at the first stack that fails. The first stack with one of
 * our constructs therefore reports the findings of all stacks, so that one error has all of them.
 */
export function validateAtSynth(construct: Construct, findings: ValidationFindings): void {
  const stack = TerraformStack.of(construct);
  const callSite = callSiteOf(construct);
  Object.defineProperty(construct, FINDINGS, { value: findings });
  Object.defineProperty(construct, CALL_SITE, { value: callSite });
  construct.node.addValidation({
    validate: () =>
      isExcludedTenant(stack) ? [] : findings().map((found) => sentence(found, stack, callSite)),
  });

  if (REPORTS in stack) return;
  Object.defineProperty(stack, REPORTS, { value: true });
  stack.node.addValidation({ validate: () => findingsOfOtherStacks(stack) });
}

const FINDINGS = Symbol.for("cdktf-console/Findings");
const CALL_SITE = Symbol.for("cdktf-console/CallSite");
const REPORTS = Symbol.for("cdktf-console/ReportsForOtherStacks");

interface Validated extends IConstruct {
  readonly [FINDINGS]: ValidationFindings;
  readonly [CALL_SITE]: CallSite;
}

function isValidated(construct: IConstruct): construct is Validated {
  return FINDINGS in construct;
}

/**
 * `policies[0].name: Invalid attribute value. Must not be empty. (stack.ts:12)`, or with the place of
 * the stack's data: `tenants.yaml:12: policies[0].name: …`.
 */
function sentence(
  { path, summary, detail }: Diagnostic,
  stack: TerraformStack,
  callSite: CallSite,
): string {
  const subject = path && path.length > 0 ? `${formatPath(path)}: ` : "";
  const said = `${subject}${summary}. ${detail}`;
  const origin = originOf(stack);
  if (origin !== undefined) return `${origin}: ${said}`;
  const line = callSiteText(callSite, process.cwd());
  return line === undefined ? said : `${said} (${line})`;
}

function findingsOfOtherStacks(stack: TerraformStack): string[] {
  const { root } = stack.node;
  if (firstStack(root) !== stack) return [];
  excludeTenants(root);
  return root.node
    .findAll()
    .filter(isValidated)
    .filter((construct) => TerraformStack.of(construct) !== stack)
    .flatMap((construct) =>
      construct[FINDINGS]().map((found) => {
        const said = sentence(found, TerraformStack.of(construct), construct[CALL_SITE]);
        return `[${construct.node.path}] ${said}`;
      }),
    );
}

/** Excludes the tenants whose rows have errors, unless all rows have: then the program is wrong. */
function excludeTenants(root: IConstruct): void {
  const tenants = root.node.children
    .filter((child) => TerraformStack.isStack(child))
    .filter((stack) => originOf(stack) !== undefined && !isExcludedTenant(stack));
  const found = tenants.map((stack) =>
    stack.node
      .findAll()
      .filter(isValidated)
      .flatMap((one) => one[FINDINGS]().map((finding) => sentence(finding, stack, one[CALL_SITE]))),
  );
  if (found.every((errors) => errors.length > 0)) return;
  for (const [at, stack] of tenants.entries()) {
    const errors = found[at] ?? [];
    if (errors.length > 0) excludeTenant(stack, errors);
  }
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
  readonly placeOf?: (config: ObjectValue) => string | undefined;
  readonly validate?:
    ((config: ObjectValue, connection: undefined) => readonly Diagnostic[]) | undefined;
}

/**
 * Returns a function that gives the errors of props: wrong types, and errors of the provider's checks
 * with prop names. Props do not change, so they are checked once, at the first call.
 */
export function propsFindings(
  definition: Pick<ConstructDefinition, "attributes" | "validate">,
  props: ReadProps,
): ValidationFindings {
  let found: readonly Diagnostic[] | undefined;
  return () => (found ??= findingsOf(definition, props));
}

function findingsOf(
  definition: Pick<ConstructDefinition, "attributes" | "validate">,
  props: ReadProps,
): Diagnostic[] {
  const { attributes } = definition;
  const errors = [
    ...validateAttributes(attributes, props.config),
    ...(definition.validate?.(props.config, undefined) ?? []),
  ].filter((diagnostic) => hasErrors([diagnostic]));
  const translated = errors.map((diagnostic) => ({
    ...reword(diagnostic, (line) => inPropNames(attributes, line, diagnostic.path)),
    ...(diagnostic.path && { path: propPath(attributes, diagnostic.path) }),
  }));
  return [...props.findings, ...translated];
}
