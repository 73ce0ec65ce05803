import { prose } from "../../core/printed";
import type { Diagnostic } from "../../core/diagnostics";
import { errorAt, type EvaluationScope, unknownOf } from "../../language";
import {
  evaluateCondition,
  INVALID_MESSAGE,
  OUTPUT_PRECONDITION_FAILED,
  validateAssertions,
} from "../evaluation/conditions";
import { lazyLocals } from "../evaluation/lazy-locals";
import { StackValues, within } from "../evaluation/stack-values";
import { validateByProvider } from "../evaluation/validations";
import { mark } from "../../core/marks";
import type { Evaluated } from "../../core/values";
import {
  blockReferences,
  REMOTE_STATE,
  type ConfigurationNode,
  type OutputNode,
} from "../graph/configuration";
import { resourceSchema, type StackContext } from "../graph/stack-context";
import { validateResource } from "./validate-resource";

/**
 * The validation of one stack with unknown variables, and unknown outputs of other stacks. Terraform
 * refuses what fails with them before it plans, also where it would not fail with their values, is
 * not targeted, or is destroyed.
 */
export class UnknownVariables {
  private readonly scope: EvaluationScope;
  /** The local values that refer to unknown ones. */
  private readonly locals = new Set<string>();

  constructor(private readonly context: StackContext) {
    const { config, providers } = context;
    const variables = [...config.variables.values()].map((variable): [string, Evaluated] => [
      variable.name,
      mark(unknownOf(variable.type), variable),
    ]);
    const values = new StackValues(config, new Map(variables), providers);
    this.scope = { ...within(values, {}), local: lazyLocals(config, () => this.scope) };
  }

  /**
   * Returns the problems of a block that depends on unknown values. Blocks must be given after the
   * local values they refer to.
   */
  problemsOf(node: ConfigurationNode): readonly Diagnostic[] {
    return this.isUnknown(node) ? this.evaluate(node) : [];
  }

  /** Reports whether a block refers to unknown values, directly or by local values. */
  isUnknown(node: ConfigurationNode): boolean {
    const isUnknown = blockReferences(this.context.config, node).some(
      ({ subject }) =>
        subject.kind === "variable" ||
        (subject.kind === "resource" && subject.type === REMOTE_STATE) ||
        (subject.kind === "local" && this.locals.has(subject.name)),
    );
    if (isUnknown && node.kind === "local") this.locals.add(node.name);
    return isUnknown;
  }

  private evaluate(node: ConfigurationNode): readonly Diagnostic[] {
    switch (node.kind) {
      case "local":
        return node.expression.evaluate(this.scope).diagnostics;
      case "output":
        return node.config.value.evaluate(this.scope).diagnostics;
      case "check":
        return validateAssertions(node.config.assertions, this.scope);
      case "resource":
      case "ephemeral": {
        const selected = resourceSchema(this.context, node.config);
        if ("problem" in selected) return [];
        const { provider } = selected.provider;
        return validateResource(node.config, selected, this.scope, ({ value }) =>
          validateByProvider(provider, node.config, value, undefined),
        );
      }
      case "provider":
      case "variable":
        return [];
    }
  }

  /** Returns the preconditions of an output that fail whatever the variables are. */
  alwaysFailing({ config: { where, preconditions } }: OutputNode): readonly Diagnostic[] {
    return preconditions.flatMap((precondition) => {
      const { status, message = INVALID_MESSAGE } = evaluateCondition(
        precondition,
        this.scope,
        where,
      );
      return status === "fail" ? [errorAt(where, OUTPUT_PRECONDITION_FAILED, prose(message))] : [];
    });
  }
}
