import { join, resolve } from "node:path";
import { z } from "zod";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { inWords } from "../../provider/schema/in-words";
import type { Backend } from "./backend";
import { LocalBackend } from "./local";

export interface StackLocation {
  /** The directory of cdk.tf.json: relative paths start there, as with Terraform. */
  readonly directory: string;
  /** Default `default`. Another one has its state in `workspace_dir`. */
  readonly workspace?: string;
  /** Where `errored.tfstate` goes if need be. Default: the process's. */
  readonly workingDirectory?: string;
}

/**
 * The backend that the `terraform` block of a stack asks for; without one, a local
 * `terraform.tfstate` beside cdk.tf.json. Any other kind than `local` is Terraform's to run.
 */
export function openBackend(
  terraformBlock: unknown,
  stack: StackLocation,
): { backend?: Backend; diagnostics: readonly Diagnostic[] } {
  const parsed = backendBlock.safeParse(terraformBlock ?? {}, { error: inWords });
  if (!parsed.success) {
    return {
      diagnostics: parsed.error.issues.map(({ path, message }) =>
        error("Invalid backend", `"${["terraform", ...path].join(".")}" ${message}.`),
      ),
    };
  }
  const { backend = {}, cloud } = parsed.data;
  const foreign = cloud === undefined ? Object.keys(backend).find(isForeign) : "cloud";
  if (foreign !== undefined) {
    return {
      diagnostics: [
        error(
          "Backend is not supported",
          `The stack keeps its state in the backend "${foreign}"; the embedded executor knows ` +
            `"local" only. Terraform can run the stack.`,
        ),
      ],
    };
  }
  const path = statePath(backend.local, stack.workspace ?? "default");
  return {
    backend: new LocalBackend(resolve(stack.directory, path), stack.workingDirectory),
    diagnostics: [],
  };
}

function statePath(local: LocalBlock = {}, workspace: string): string {
  if (workspace === "default") return local.path ?? "terraform.tfstate";
  return join(local.workspace_dir ?? "terraform.tfstate.d", workspace, "terraform.tfstate");
}

function isForeign(type: string): boolean {
  return type !== "local";
}

const localBlock = z.strictObject({
  path: z.string().min(1).nullish().transform(nullAsAbsent),
  workspace_dir: z.string().min(1).nullish().transform(nullAsAbsent),
});
type LocalBlock = Partial<z.infer<typeof localBlock>>;

const backendBlock = z.object({
  // JSON syntax allows a block as an object and as an array of one.
  backend: z.preprocess(
    (value: unknown) =>
      Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value,
    z.object({ local: localBlock.optional() }).catchall(z.unknown()).optional(),
  ),
  cloud: z.unknown().optional(),
});

function nullAsAbsent<T>(value: T | null | undefined): T | undefined {
  return value ?? undefined;
}
