import { printed } from "../../core/printed";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import { didYouMean } from "../../core/suggest";
import type { ConfigurationNode } from "../graph/configuration";
import {
  isInModule,
  parseAddress,
  parseModulePath,
  sameResource,
  type InstanceAddress,
  type ResourceAddress,
} from "../../core/documents/address";

/** The address of a `--target`: a module, a resource, or an instance. */
export type TargetAddress = { readonly text: string } & (
  { readonly module: string } | { readonly object: InstanceAddress }
);

/** The part of the stacks that a plan with targets covers. The rest stays as the state has it. */
export interface TargetSelection {
  /** The blocks that are visited, dependencies included. */
  readonly nodes: ReadonlySet<ConfigurationNode>;
  /** Reports whether an instance is planned; it may be in the state alone. */
  includes(stack: string, instance: InstanceAddress): boolean;
  /** Reports whether a target names an instance. Dependencies of targets are included, not named. */
  names(instance: InstanceAddress): boolean;
  /** Reports whether a target names a resource or an instance of it. */
  namesAnyOf(resource: ResourceAddress): boolean;
  /** Targets that match nothing in a stack or its state. */
  readonly unmatched: readonly TargetAddress[];
}

export function readTargets(texts: readonly string[]): {
  targets: readonly TargetAddress[];
  diagnostics: readonly Diagnostic[];
} {
  const targets: TargetAddress[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const text of texts) {
    const module = parseModulePath(text);
    const object = parseAddress(text);
    if (module !== undefined) targets.push({ text, module });
    else if (object) targets.push({ text, object });
    else diagnostics.push(invalidTarget(text));
  }
  return { targets, diagnostics };
}

/** Reports whether the target names the resource, or one of its instances. */
export function namesResource(target: TargetAddress, resource: ResourceAddress): boolean {
  return "module" in target
    ? isInModule(resource.module, target.module)
    : sameResource(target.object, resource);
}

export function namesInstance(target: TargetAddress, instance: InstanceAddress): boolean {
  if (!namesResource(target, instance)) return false;
  return (
    "module" in target || target.object.key === undefined || target.object.key === instance.key
  );
}

function invalidTarget(text: string): Diagnostic {
  return error(
    `Invalid target ${JSON.stringify(text)}`,
    "The address of a resource, of one of its instances, or of a module is required here, such as " +
      'cwp_license.main, null_resource.gate["a"] or module.network.',
  );
}

/** Warns of a target without a match, which Terraform ignores. */
export function matchesNothing({ text }: TargetAddress, known: readonly string[]): Diagnostic {
  return warning(
    "Target matches nothing",
    `Neither the stacks nor their states have ${text}, so --target has no effect for it.${didYouMean(text, known)}`,
  );
}

export const TARGETING_IN_EFFECT = warning(
  "Resource targeting is in effect",
  printed`You are creating a plan with the --target option, which means that the result of this plan may not represent all of the changes requested by the current configuration.\n\nThe --target option is not for routine use, and is provided only for exceptional situations such as recovering from errors or mistakes, or when Terraform specifically suggests to use it as part of an error message.`,
);

export const APPLIED_INCOMPLETE = warning(
  "Applied changes may be incomplete",
  printed`The plan was created with the --target option in effect, so some changes requested in the configuration may have been ignored and the output values may not be fully updated. Run the following command to verify that no other changes are pending:\n    cdktf-console plan\n\nNote that the --target option is not suitable for routine use, and is provided only for exceptional situations such as recovering from errors or mistakes, or when Terraform specifically suggests to use it as part of an error message.`,
);
