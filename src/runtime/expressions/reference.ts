import type { AttributePath } from "../../provider/values";

/** What a reference names. */
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
 * A reference as it stands in an expression, with the part of its traversal that is static:
 * `null_resource.a[0].triggers["k"]` has the path `[0, "triggers", "k"]`. An instance key, where
 * there is one, is the first step.
 */
export interface Reference {
  readonly subject: Subject;
  readonly path: AttributePath;
}

/** `var.names`, `data.null_data_source.a`: the subject as users write it. */
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

/** The subject that a traversal starts with and the steps behind it, or what is wrong with it. */
export function readReference(
  steps: AttributePath,
): { reference: Reference } | { problem: { summary: string; detail: string } } {
  const [root, second, third] = steps;
  const named = (kind: "variable" | "local"): ReturnType<typeof readReference> =>
    typeof second === "string"
      ? { reference: { subject: { kind, name: second }, path: steps.slice(2) } }
      : incomplete(String(root), "an attribute name, as in `" + String(root) + ".name`");
  switch (root) {
    case "var":
      return named("variable");
    case "local":
      return named("local");
    case "path":
      return second === "module" || second === "root" || second === "cwd"
        ? { reference: { subject: { kind: "path", name: second }, path: steps.slice(2) } }
        : unknownMember("path", second, "module, root and cwd");
    case "terraform":
      return second === "workspace"
        ? { reference: { subject: { kind: "workspace" }, path: steps.slice(2) } }
        : unknownMember("terraform", second, "workspace");
    case "each":
      return second === "key" || second === "value"
        ? { reference: { subject: { kind: "each", name: second }, path: steps.slice(2) } }
        : unknownMember("each", second, "key and value");
    case "count":
      return second === "index"
        ? { reference: { subject: { kind: "count" }, path: steps.slice(2) } }
        : unknownMember("count", second, "index");
    case "self":
      return { reference: { subject: { kind: "self" }, path: steps.slice(1) } };
    case "data":
      return typeof second === "string" && typeof third === "string"
        ? resource("data", second, third, steps.slice(3))
        : incomplete("data", "a type and a name, as in `data.TYPE.NAME`");
    case "ephemeral":
      return typeof second === "string" && typeof third === "string"
        ? {
            reference: {
              subject: { kind: "ephemeral", type: second, name: third },
              path: steps.slice(3),
            },
          }
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
        ? resource("managed", root, second, steps.slice(2))
        : incomplete(String(root), "at least one attribute name, as in `TYPE.NAME`");
  }
}

function resource(
  mode: "managed" | "data",
  type: string,
  name: string,
  path: AttributePath,
): { reference: Reference } {
  return { reference: { subject: { kind: "resource", mode, type, name }, path } };
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
