import { memberOf } from "../../core/member-of";
import type { AttributePath } from "../../core/values";
import { plainStep, type TraversalStep } from "./template";
import { REFUSALS, refusalDetail } from "./refusals";

/** The object that a reference names. */
export type Subject =
  | {
      readonly kind: "resource";
      readonly mode: "managed" | "data";
      readonly type: string;
      readonly name: string;
    }
  | { readonly kind: "ephemeral"; readonly type: string; readonly name: string }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "local"; readonly name: string }
  | { readonly kind: "path"; readonly name: "module" | "root" | "cwd" }
  | { readonly kind: "workspace" }
  | { readonly kind: "each"; readonly name: "key" | "value" }
  | { readonly kind: "count" }
  | { readonly kind: "self" };

/**
 * A reference in an expression with the static part of its traversal:
 * `null_resource.a[0].triggers["k"]` has the path `[0, "triggers", "k"]`. An instance key is the
 * first step.
 */
export interface Reference {
  readonly subject: Subject;
  readonly path: AttributePath;
  /** True if the path begins with an index: `a.b[0]`, `a.b["key"]`. */
  readonly indexed: boolean;
}

/** Formats a subject as users write it: `var.names`, `data.null_data_source.a`. */
export function formatSubject(subject: Subject): string {
  switch (subject.kind) {
    case "resource":
      return `${subject.mode === "data" ? "data." : ""}${subject.type}.${subject.name}`;
    case "ephemeral":
      return `ephemeral.${subject.type}.${subject.name}`;
    case "variable":
      return `var.${subject.name}`;
    case "local":
      return `local.${subject.name}`;
    case "path":
      return `path.${subject.name}`;
    case "each":
      return `each.${subject.name}`;
    case "workspace":
      return "terraform.workspace";
    case "count":
      return "count.index";
    case "self":
      return "self";
  }
}

/** Splits a traversal into its subject and the remaining steps, or explains why it is invalid. */
export function readReference(
  steps: readonly TraversalStep[],
): { reference: Reference } | { problem: { summary: string; detail: string } } {
  const [root, second, third] = steps;
  const found = (subject: Subject, length: number) => {
    const path = steps.slice(length).map(plainStep);
    const indexed = path.length > 0 && typeof steps[length] !== "string";
    return { reference: { subject, path, indexed } };
  };
  const named = (kind: string, subject: (type: string, name: string) => Subject) =>
    typeof second === "string" && typeof third === "string"
      ? found(subject(second, third), 3)
      : invalid(
          `The "${kind}" object must be followed by two attribute names: the ${memberOf(KINDS, kind) ?? "resource"} type and the resource name.`,
        );
  switch (root) {
    case "var":
    case "local": {
      const kind = root === "var" ? "variable" : "local";
      return typeof second === "string"
        ? found({ kind, name: second }, 2)
        : incomplete(root, second);
    }
    case "path":
      return second === "module" || second === "root" || second === "cwd"
        ? found({ kind: "path", name: second }, 2)
        : unknownMember("path", second, "module, root and cwd");
    case "terraform":
      if (second === "applying") {
        const detail = refusalDetail(
          "This executor does not support terraform.applying.",
          REFUSALS["terraform.applying"],
        );
        return { problem: { summary: "Unsupported reference", detail } };
      }
      return second === "workspace"
        ? found({ kind: "workspace" }, 2)
        : unknownMember("terraform", second, "workspace");
    case "each":
      return second === "key" || second === "value"
        ? found({ kind: "each", name: second }, 2)
        : unknownMember("each", second, "key and value");
    case "count":
      return second === "index"
        ? found({ kind: "count" }, 2)
        : unknownMember("count", second, "index");
    case "self":
      return found({ kind: "self" }, 1);
    case "data":
      return named("data", (type, name) => ({ kind: "resource", mode: "data", type, name }));
    case "resource":
      return named("resource", (type, name) => ({ kind: "resource", mode: "managed", type, name }));
    case "ephemeral":
      return named("ephemeral", (type, name) => ({ kind: "ephemeral", type, name }));
    case "module":
      return {
        problem: {
          summary: "Unsupported reference",
          detail: refusalDetail("The expression refers to a module.", REFUSALS.module),
        },
      };
    default:
      return typeof root === "string" && typeof second === "string"
        ? found({ kind: "resource", mode: "managed", type: root, name: second }, 2)
        : invalid(
            "A reference to a resource type must be followed by at least one attribute access, specifying the resource name.",
          );
  }
}

const KINDS: Readonly<Record<string, string>> = {
  data: "data source",
  ephemeral: "ephemeral resource",
};

function incomplete(root: string, next: TraversalStep | undefined) {
  return invalid(
    next === undefined
      ? `The "${root}" object cannot be accessed directly. Instead, access one of its attributes.`
      : `The "${root}" object does not support this operation.`,
  );
}

function invalid(detail: string) {
  return { problem: { summary: "Invalid reference", detail } };
}

function unknownMember(root: string, member: TraversalStep | undefined, members: string) {
  if (typeof member !== "string") return incomplete(root, member);
  return {
    problem: {
      summary: `Invalid "${root}" attribute`,
      detail: `The "${root}" object does not have an attribute named ${JSON.stringify(member)}. Supported: ${members}.`,
    },
  };
}
