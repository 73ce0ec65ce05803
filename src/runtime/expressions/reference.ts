import type { AttributePath } from "../../provider/values";

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
  steps: AttributePath,
): { reference: Reference } | { problem: { summary: string; detail: string } } {
  const [root, second, third] = steps;
  const found = (subject: Subject, length: number) => ({
    reference: { subject, path: steps.slice(length) },
  });
  switch (root) {
    case "var":
    case "local": {
      const kind = root === "var" ? "variable" : "local";
      return typeof second === "string"
        ? found({ kind, name: second }, 2)
        : incomplete(root, `an attribute name, as in \`${root}.name\``);
    }
    case "path":
      return second === "module" || second === "root" || second === "cwd"
        ? found({ kind: "path", name: second }, 2)
        : unknownMember("path", second, "module, root and cwd");
    case "terraform":
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
      return typeof second === "string" && typeof third === "string"
        ? found({ kind: "resource", mode: "data", type: second, name: third }, 3)
        : incomplete("data", "a type and a name, as in `data.TYPE.NAME`");
    case "ephemeral":
      return typeof second === "string" && typeof third === "string"
        ? found({ kind: "ephemeral", type: second, name: third }, 3)
        : incomplete("ephemeral", "a type and a name, as in `ephemeral.TYPE.NAME`");
    case "module":
      return {
        problem: {
          summary: "Unsupported reference",
          detail:
            "References to modules are not supported by this executor. Terraform can run the stack.",
        },
      };
    default:
      return typeof root === "string" && typeof second === "string"
        ? found({ kind: "resource", mode: "managed", type: root, name: second }, 2)
        : incomplete(String(root), "at least one attribute name, as in `TYPE.NAME`");
  }
}

function incomplete(root: string, wanted: string) {
  return {
    problem: {
      summary: "Invalid reference",
      detail: `The reference "${root}" must be followed by ${wanted}.`,
    },
  };
}

function unknownMember(root: string, member: string | number | undefined, members: string) {
  return {
    problem: {
      summary: `Invalid "${root}" attribute`,
      detail: `The "${root}" object does not have an attribute named ${JSON.stringify(member ?? "")}. Supported: ${members}.`,
    },
  };
}
