import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { UNKNOWN } from "../../provider/values";
import type { Lifecycle, LocalExec, ResourceConfig } from "../config/stack-config";
import type { PathMarks } from "../expressions/evaluated";
import type { Reference } from "../expressions/reference";
import type { Scope } from "../expressions/scope";
import { didYouMean } from "../expressions/suggest";
import { referencesIn } from "../graph/configuration";
import { unknownObject } from "../evaluation/attributes";
import { validateConditions } from "../evaluation/conditions";
import { conformBody } from "../evaluation/conform";
import { errorAt, locate } from "../config/located";
import type { Schema } from "../graph/stack-context";
import type { Validations } from "../evaluation/validations";
import { checkSelfReferences } from "./check-references";
import type { Repeating } from "../evaluation/repetition";
import { within, type Surroundings } from "../evaluation/stack-values";

/**
 * Checks one resource or data source with whatever repeats it unknown, by what the provider's
 * `connection` tells where there is one already.
 */
export function validateResource(
  config: ResourceConfig,
  { provider: { provider }, attributes }: Schema,
  scope: Scope,
  connection: unknown,
  validations: Validations,
): { marks: readonly PathMarks[]; diagnostics: readonly Diagnostic[] } {
  const { where, type, mode, address } = config;
  const inside = within(scope, unknownSurroundings(config));
  const body = conformBody(config.body, attributes, inside, where);
  const invalid = validations.validate(address, body.value, connection, () =>
    mode === "data"
      ? provider.validateDataSource(type, body.value, connection)
      : provider.validateResource(type, body.value, connection),
  );
  const self = within(inside, { self: unknownObject(attributes) });
  const own = referencesIn([...config.body.values(), config.count, config.forEach]);
  return {
    marks: body.marks,
    diagnostics: [
      ...body.diagnostics,
      ...locate(invalid, where),
      ...checkSelfReferences(own, address, where),
      ...validateLifecycle(config.lifecycle, attributes, config),
      ...config.provisioners.flatMap((provisioner) => validateProvisioner(provisioner, self)),
      ...validateConditions(config.lifecycle.preconditions, inside),
      ...validateConditions(config.lifecycle.postconditions, self),
    ],
  };
}

/** What repeats a block, before it is known. */
export function unknownSurroundings({ count, forEach }: Repeating): Surroundings {
  return {
    ...(forEach && { each: { key: UNKNOWN, value: UNKNOWN } }),
    ...(count && { countIndex: UNKNOWN }),
  };
}

function validateLifecycle(
  { ignoreChanges }: Lifecycle,
  attributes: Schema["attributes"],
  { where }: ResourceConfig,
): readonly Diagnostic[] {
  if (ignoreChanges === "all") return [];
  return ignoreChanges.flatMap(([name]) => {
    if (typeof name === "string" && Object.hasOwn(attributes, name)) return [];
    return [
      errorAt(
        where,
        "Unsupported attribute",
        `ignore_changes names ${JSON.stringify(name)}, which is no attribute of this resource.${didYouMean(String(name), Object.keys(attributes))}`,
      ),
    ];
  });
}

function validateProvisioner(provisioner: LocalExec, scope: Scope): readonly Diagnostic[] {
  const { command, interpreter, workingDir, environment, quiet, when, where } = provisioner;
  const expressions = [command, interpreter, workingDir, environment, quiet];
  const problems = expressions.flatMap((one) => one?.evaluate(scope).diagnostics ?? []);
  if (when === "create" || hasErrors(problems)) return problems;
  const outside = referencesIn(expressions).filter((reference) => !isOwn(reference));
  if (outside.length === 0) return problems;
  return [
    ...problems,
    errorAt(
      where,
      "Invalid reference from destroy provisioner",
      'Destroy-time provisioners may only refer to "self", "count.index" and "each.key": what else they name may be gone by then.',
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
