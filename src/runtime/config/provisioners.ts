import { z } from "zod";
import type { Diagnostic } from "../../provider/diagnostics";
import type { Where } from "../expressions/expression";
import { readAttribute } from "./body";
import { errorAt } from "./located";
import { block, checkShape, present, repeated, whatever } from "./shape";
import type { LocalExec } from "./stack-config";

const provisioners = repeated(z.record(z.string(), repeated(block))).optional();

const localExec = z.strictObject({
  "//": whatever,
  connection: whatever,
  when: z.enum(["create", "destroy"]).default("create"),
  on_failure: z.enum(["fail", "continue"]).default("fail"),
  command: present,
  interpreter: whatever,
  working_dir: whatever,
  environment: whatever,
  quiet: whatever,
});

/** Reads the `provisioner` blocks in their order. Only `local-exec` is supported. */
export async function readProvisioners(
  json: unknown,
  where: Where,
  diagnostics: Diagnostic[],
): Promise<readonly LocalExec[]> {
  const at: Where = { ...where, path: [...where.path, "provisioner"] };
  const read: LocalExec[] = [];
  const groups = checkShape(provisioners, json, at, diagnostics) ?? [];
  for (const [index, group] of groups.entries()) {
    for (const [type, blocks] of Object.entries(group)) {
      if (type === "//") continue;
      const here: Where = { ...at, path: [...at.path, index, type] };
      if (type !== "local-exec") {
        diagnostics.push(
          errorAt(
            here,
            "Unsupported provisioner",
            `${where.address} has a "${type}" provisioner; this executor runs "local-exec" only. Terraform can run the stack.`,
          ),
        );
        continue;
      }
      for (const one of blocks) {
        const provisioner = await readLocalExec(one, here, diagnostics);
        if (provisioner) read.push(provisioner);
      }
    }
  }
  return read;
}

async function readLocalExec(
  json: Readonly<Record<string, unknown>>,
  where: Where,
  diagnostics: Diagnostic[],
): Promise<LocalExec | undefined> {
  if (json.connection !== undefined) diagnostics.push(unsupportedConnection(where));
  const read = checkShape(localExec, json, where, diagnostics);
  if (!read) return undefined;
  const attribute = async (value: unknown, name: string) =>
    value === undefined || value === null
      ? undefined
      : readAttribute(value, name, where, diagnostics);
  const interpreter = await attribute(read.interpreter, "interpreter");
  const workingDir = await attribute(read.working_dir, "working_dir");
  const environment = await attribute(read.environment, "environment");
  const quiet = await attribute(read.quiet, "quiet");
  return {
    where,
    when: read.when,
    onFailure: read.on_failure,
    command: await readAttribute(read.command, "command", where, diagnostics),
    ...(interpreter && { interpreter }),
    ...(workingDir && { workingDir }),
    ...(environment && { environment }),
    ...(quiet && { quiet }),
  };
}

export function unsupportedConnection(where: Where): Diagnostic {
  return errorAt(
    where,
    "Unsupported block",
    `${where.address} has a "connection" block, which this executor does not use. Terraform can run the stack.`,
    ["connection"],
  );
}
