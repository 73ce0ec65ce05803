import { memberOf } from "../../core/member-of";
import { hasErrors, warning, type Diagnostic } from "../../core/diagnostics";
import { isConfigurable } from "../../core/schema/terraform";
import { mark } from "../../core/marks";
import { UNKNOWN } from "../../core/values";
import {
  errorAt,
  type Lifecycle,
  type LocalExec,
  locate,
  type Location,
  plainStep,
  provisionerReferences,
  type Reference,
  referencesIn,
  type RemovalConfig,
  type ResourceConfig,
  type EvaluationScope,
} from "../../language";
import { didYouMean } from "../../core/suggest";
import { bodyReferences, conditionReferences } from "../graph/configuration";
import { unknownObject } from "../evaluation/attributes";
import { validateConditions } from "../evaluation/conditions";
import { evaluateLocalExec } from "../evaluation/local-exec-arguments";
import { conformBody, type Conformed } from "../evaluation/conform";
import { withVariables } from "../evaluation/provider-diagnostics";
import type { Schema } from "../graph/stack-context";
import { attributeProblem, checkSelfReferences } from "./check-references";
import type { Repeating } from "../evaluation/repetition";
import { plainSecrets } from "./plain-secrets";
import { within, type Surroundings } from "../evaluation/stack-values";

/**
 * Checks one block with unknown `each` and `count`.
 *
 * @param validate Validates its value by the provider.
 */
export function validateResource(
  config: ResourceConfig<"managed" | "data" | "ephemeral">,
  { attributes }: Schema,
  scope: EvaluationScope,
  validate: (body: Conformed) => readonly Diagnostic[],
): readonly Diagnostic[] {
  const { where, mode, address, lifecycle } = config;
  const ephemeral = mode === "ephemeral";
  const inside = within(scope, unknownSurroundings(config));
  const body = conformBody(config.body, attributes, inside, { ...where, ephemeral });
  const self: EvaluationScope = {
    ...within(inside, { self: mark(unknownObject(attributes), { ephemeral }) }),
    problemOf: (reference) =>
      reference.subject.kind === "self"
        ? attributeProblem(attributes, reference.path)
        : scope.problemOf?.(reference),
  };
  const conditionsOf = (name: "precondition" | "postcondition") =>
    checkSelfReferences(
      conditionReferences(lifecycle[`${name}s`]),
      address,
      where,
      `Invalid reference in ${name}`,
    );
  const own = [...bodyReferences(config.body), ...referencesIn([config.count, config.forEach])];
  return [
    ...body.diagnostics,
    ...withVariables(locate(validate(body), where), config.body),
    ...plainSecrets(config.body, attributes, where),
    ...checkSelfReferences(own, address, where),
    ...conditionsOf("precondition"),
    ...conditionsOf("postcondition"),
    ...validateLifecycle(lifecycle, attributes, where),
    ...config.provisioners.flatMap((provisioner) => validateProvisioner(provisioner, self)),
    ...validateConditions(lifecycle.preconditions, inside),
    ...validateConditions(lifecycle.postconditions, self),
  ];
}

/** Returns unknown values of `each` and `count`. */
function unknownSurroundings({ count, forEach }: Repeating): Surroundings {
  return {
    ...(forEach && { each: { key: UNKNOWN, value: UNKNOWN } }),
    ...(count && { countIndex: UNKNOWN }),
  };
}

function validateLifecycle(
  { ignoreChanges }: Lifecycle,
  attributes: Schema["attributes"],
  where: Location,
): readonly Diagnostic[] {
  if (ignoreChanges === "all") return [];
  return ignoreChanges.flatMap((steps) => {
    const [root = ""] = steps;
    const name = String(plainStep(root));
    const attribute = Object.hasOwn(attributes, name) ? memberOf(attributes, name) : undefined;
    if (!attribute) {
      const known = didYouMean(name, Object.keys(attributes));
      const detail = `This object has no argument, nested block, or exported attribute named ${JSON.stringify(name)}.${known}`;
      return [errorAt(where, "Unsupported attribute", detail, ["lifecycle", "ignore_changes"])];
    }
    const problem = attributeProblem(attributes, steps.map(plainStep));
    if (problem) {
      return [errorAt(where, problem.summary, problem.detail, ["lifecycle", "ignore_changes"])];
    }
    if (isConfigurable(attribute)) return [];
    return locate([warning("Redundant ignore_changes element", redundant(name))], where);
  });
}

function redundant(name: string): string {
  return `The provider alone decides ${name}, so there is no configured value to ignore. Remove it from ignore_changes.`;
}

/** Checks the provisioners of a `removed` block. */
export function validateRemoval(
  { provisioners }: RemovalConfig,
  scope: EvaluationScope,
): readonly Diagnostic[] {
  const each = { key: UNKNOWN, value: UNKNOWN } as const;
  const inside = within(scope, { self: UNKNOWN, each, countIndex: UNKNOWN });
  return provisioners.flatMap((provisioner) => validateProvisioner(provisioner, inside));
}

function validateProvisioner(
  provisioner: LocalExec,
  scope: EvaluationScope,
): readonly Diagnostic[] {
  const { when, where } = provisioner;
  const { diagnostics: problems } = evaluateLocalExec(provisioner, scope);
  if (when === "create" || hasErrors(problems)) return problems;
  const outside = provisionerReferences(provisioner).filter((reference) => !isOwn(reference));
  if (outside.length === 0) return problems;
  return [
    ...problems,
    errorAt(
      where,
      "Invalid reference from destroy provisioner",
      'Destroy-time provisioners may only refer to "self", "count.index" and "each.key": other objects may no longer exist then.',
    ),
  ];
}

function isOwn({ subject }: Reference): boolean {
  return (
    subject.kind === "self" ||
    subject.kind === "count" ||
    subject.kind === "path" ||
    subject.kind === "workspace" ||
    (subject.kind === "each" && subject.name === "key")
  );
}
