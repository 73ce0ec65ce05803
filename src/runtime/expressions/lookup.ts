import type { Context } from "./context";
import type { Evaluated } from "./evaluated";
import { isList, unmarkRoot } from "./evaluated";
import type { Reference, Subject } from "./reference";
import { formatSubject } from "./reference";
import { didYouMean } from "./suggest";
import { takePath } from "./traversal";

/** Evaluates a reference; reports one to an undeclared object. */
export function evaluateReference({ subject, path }: Reference, context: Context): Evaluated {
  const found = lookUp(subject, context);
  if (found === undefined) {
    return context.refuse(...missing(subject, context.scope.declared?.(subject.kind) ?? []));
  }
  const repeats = subject.kind === "resource" || subject.kind === "ephemeral";
  if (repeats && typeof path[0] === "string") {
    const instances = unmarkRoot(found).value;
    if (isList(instances)) {
      const name = formatSubject(subject);
      return context.report(
        "Missing resource instance key",
        `Because ${name} has "count" set, its attributes must be accessed on specific instances, as in ${name}[count.index].`,
      );
    }
  }
  return takePath(found, path, context);
}

function lookUp(subject: Subject, { scope }: Context): Evaluated | undefined {
  switch (subject.kind) {
    case "resource":
      return scope.resource(subject.mode, subject.type, subject.name);
    case "ephemeral":
      return scope.ephemeral?.(subject.type, subject.name);
    case "variable":
      return scope.variable(subject.name);
    case "local":
      return scope.local(subject.name);
    case "path":
      return scope.path[subject.name];
    case "workspace":
      return scope.workspace;
    case "each":
      return scope.each?.[subject.name];
    case "count":
      return scope.countIndex;
    case "self":
      return scope.self;
  }
}

function missing(subject: Subject, declared: readonly string[]): [string, string] {
  const suggestion = didYouMean(formatSubject(subject), declared);
  switch (subject.kind) {
    case "resource": {
      const kind = subject.mode === "data" ? "data resource" : "managed resource";
      return [
        "Reference to undeclared resource",
        `A ${kind} "${subject.type}" "${subject.name}" has not been declared in this stack.${suggestion}`,
      ];
    }
    case "ephemeral":
      return [
        "Reference to undeclared resource",
        `An ephemeral resource "${subject.type}" "${subject.name}" has not been declared in this stack.${suggestion}`,
      ];
    case "variable":
      return [
        "Reference to undeclared input variable",
        `An input variable with the name "${subject.name}" has not been declared.${suggestion}`,
      ];
    case "local":
      return [
        "Reference to undeclared local value",
        `A local value with the name "${subject.name}" has not been declared.${suggestion}`,
      ];
    case "each":
      return [
        `Reference to "each" in context without for_each`,
        `The "each" object can be used only in "resource" and "data" blocks, and only when the "for_each" argument is set.`,
      ];
    case "count":
      return [
        `Reference to "count" in non-counted context`,
        `The "count" object can only be used in "resource" and "data" blocks, and only when the "count" argument is set.`,
      ];
    case "self":
      return [
        `Invalid "self" reference`,
        `The "self" object is not available in this context. It can be used in provisioners and postconditions only.`,
      ];
    case "path":
    case "workspace":
      return ["Invalid reference", `${formatSubject(subject)} is not available in this context.`];
  }
}
