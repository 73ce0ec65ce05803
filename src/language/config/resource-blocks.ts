import { z } from "zod";
import type { Diagnostic } from "../../core/diagnostics";
import { referencesIn, type ExpressionPosition } from "../expressions/expression";
import {
  readAttribute,
  readOptional,
  readBody,
  readDependencies,
  readTraversals,
  conditions,
  readConditions,
} from "./body";
import { readProviderReference } from "./provider-blocks";
import { readReplaceTriggers } from "./replace-triggers";
import { errorAt } from "./located";
import { checkLabels, checkName } from "./names";
import {
  block,
  checkShape,
  single,
  whereOf,
  flag,
  whatever,
  present,
  repeatedBlock,
} from "./shape";
import type { ResourceConfig, Lifecycle, LocalExec } from "./stack-config";
import { formatSubject, type Reference } from "../expressions/reference";
import { REFUSALS, refusalDetail } from "../expressions/refusals";

const checks = { "//": whatever, precondition: conditions, postcondition: conditions };
const ofManaged = z.strictObject({
  ...checks,
  create_before_destroy: flag.optional(),
  prevent_destroy: flag.optional(),
  ignore_changes: whatever,
  replace_triggered_by: whatever,
  action_trigger: whatever,
});
type LifecycleBlock = z.infer<typeof ofManaged>;
const ofManagedBlock: z.ZodType<LifecycleBlock> = single(ofManaged);
const ofDataBlock: z.ZodType<LifecycleBlock> = single(z.strictObject(checks));

/** Reads the `lifecycle` block in that of a resource or data source; without one, its defaults. */
async function readLifecycle(
  json: Readonly<Record<string, unknown>>,
  mode: "managed" | "data" | "ephemeral",
  block: ExpressionPosition,
  diagnostics: Diagnostic[],
): Promise<Lifecycle> {
  const where = { ...block, path: [...block.path, "lifecycle"] };
  const schema = mode === "managed" ? ofManagedBlock : ofDataBlock;
  const read = checkShape(schema, json.lifecycle ?? {}, where, diagnostics);
  if (read?.action_trigger !== undefined) {
    const detail = refusalDetail(
      `${where.address} has an "action_trigger" block.`,
      REFUSALS.actionTrigger,
    );
    diagnostics.push(errorAt(where, "Unsupported block", detail, ["action_trigger"]));
  }
  return {
    createBeforeDestroy: read?.create_before_destroy ?? false,
    preventDestroy: read?.prevent_destroy ?? false,
    ignoreChanges: readIgnoredChanges(read?.ignore_changes, where, diagnostics),
    replaceTriggeredBy: readReplaceTriggers(
      read?.replace_triggered_by,
      json,
      { ...where, path: [...where.path, "replace_triggered_by"] },
      diagnostics,
    ),
    preconditions: await readConditions(read?.precondition, where, "precondition", diagnostics),
    postconditions: await readConditions(read?.postcondition, where, "postcondition", diagnostics),
  };
}

function readIgnoredChanges(
  json: unknown,
  lifecycle: ExpressionPosition,
  diagnostics: Diagnostic[],
): Lifecycle["ignoreChanges"] {
  if (json === "all") return "all";
  const where = { ...lifecycle, path: [...lifecycle.path, "ignore_changes"] };
  if (Array.isArray(json) && json.includes("*")) {
    const detail =
      'The ["*"] form of ignore_changes wildcard is was deprecated and is now invalid. Use "ignore_changes = all" to ignore changes to all attributes.';
    diagnostics.push(errorAt(where, "Invalid ignore_changes wildcard", detail));
    return [];
  }
  return readTraversals(json, where, diagnostics).map(({ steps }) => steps);
}

const provisioners = repeatedBlock(z.record(z.string(), repeatedBlock(block))).optional();

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
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): Promise<readonly LocalExec[]> {
  const at: ExpressionPosition = { ...where, path: [...where.path, "provisioner"] };
  const read: LocalExec[] = [];
  const groups = checkShape(provisioners, json, at, diagnostics);
  if (!groups) return read;
  const labels = groups.find((group) => Object.keys(group).length > 0) ?? null;
  checkLabels(labels, "provisioner block's type", at, diagnostics);
  for (const [index, group] of groups.entries()) {
    for (const [type, blocks] of Object.entries(group)) {
      if (type === "//") continue;
      const here: ExpressionPosition = { ...at, path: [...at.path, index, type] };
      if (type !== "local-exec") {
        diagnostics.push(
          errorAt(
            here,
            "Unsupported provisioner",
            refusalDetail(`${where.address} has a "${type}" provisioner.`, REFUSALS.provisioner),
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
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): Promise<LocalExec | undefined> {
  if (json.connection !== undefined) diagnostics.push(unsupportedConnection(where));
  const read = checkShape(localExec, json, where, diagnostics);
  if (!read) return undefined;
  const interpreter = await readOptional(read.interpreter, "interpreter", where, diagnostics);
  const workingDir = await readOptional(read.working_dir, "working_dir", where, diagnostics);
  const environment = await readOptional(read.environment, "environment", where, diagnostics);
  const quiet = await readOptional(read.quiet, "quiet", where, diagnostics);
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

/** Returns what the arguments of a provisioner refer to. */
export function provisionerReferences(provisioner: LocalExec): readonly Reference[] {
  const { command, interpreter, workingDir, environment, quiet } = provisioner;
  return referencesIn([command, interpreter, workingDir, environment, quiet]);
}

/** Terraform orders the instances by such references, and reports a cycle of two that name each other. */
function checkOwnInstances(
  provisioners: readonly LocalExec[],
  address: string,
): readonly Diagnostic[] {
  const detail = refusalDetail(`The command names ${address}.`, REFUSALS.instances);
  const namesOwn = (one: LocalExec) =>
    provisionerReferences(one).some(({ subject }) => formatSubject(subject) === address);
  return provisioners
    .filter((one) => one.when === "create" && namesOwn(one))
    .map(({ where }) => errorAt(where, "Unsupported reference", detail));
}

export function unsupportedConnection(where: ExpressionPosition): Diagnostic {
  return errorAt(
    where,
    "Unsupported block",
    refusalDetail(`${where.address} has a "connection" block.`, REFUSALS.connection),
    ["connection"],
  );
}

const blocks = single(
  z.record(z.string(), z.record(z.string(), single(block)).nullable()).nullable(),
);

const META_ARGUMENTS = ["count", "for_each", "depends_on", "provider", "lifecycle"];
const MANAGED_ONLY = ["provisioner", "connection"];

type Mode = "managed" | "data" | "ephemeral";

const INVALID_NAMES: Readonly<Record<Mode, { type: string; name: string }>> = {
  managed: { type: "Invalid resource type name", name: "Invalid resource name" },
  data: { type: "Invalid data source name", name: "Invalid data resource name" },
  ephemeral: { type: "Invalid ephemeral resource type", name: "Invalid ephemeral resource name" },
};

/** Reads the blocks of a mode, by address; undefined if they are not blocks. */
export async function readResources<M extends Mode>(
  json: unknown,
  mode: M,
  diagnostics: Diagnostic[],
): Promise<ReadonlyMap<string, ResourceConfig<M>> | undefined> {
  const resources = new Map<string, ResourceConfig<M>>();
  const where: ExpressionPosition = { address: mode === "managed" ? "resource" : mode, path: [] };
  if (json === undefined) return resources;
  const types = checkShape(blocks, json, where, diagnostics);
  if (types === undefined) return undefined;
  checkLabels(types, `${where.address} block's type`, where, diagnostics);
  for (const [type, names] of Object.entries(types ?? {})) {
    const here = { ...where, path: [type] };
    checkLabels(names, `${where.address} block's name`, here, diagnostics);
    checkName(type, INVALID_NAMES[mode].type, here, diagnostics);
    for (const [name, content] of Object.entries(names ?? {})) {
      if (type === "//" || name === "//") continue;
      const resource = await readResource({ mode, type, name }, content, diagnostics);
      resources.set(resource.address, resource);
    }
  }
  return resources;
}

async function readResource<M extends Mode>(
  { mode, type, name }: Pick<ResourceConfig<M>, "mode" | "type" | "name">,
  json: Readonly<Record<string, unknown>>,
  diagnostics: Diagnostic[],
): Promise<ResourceConfig<M>> {
  const address = `${mode === "managed" ? "" : `${mode}.`}${type}.${name}`;
  const where = whereOf(address, json);
  checkName(name, INVALID_NAMES[mode].name, where, diagnostics);
  const count = await readRepetition(json, "count", where, diagnostics);
  const forEach = await readRepetition(json, "for_each", where, diagnostics);
  if (count && forEach) {
    diagnostics.push(
      errorAt(
        where,
        'Invalid combination of "count" and "for_each"',
        'The "count" and "for_each" meta-arguments are mutually exclusive, only one should be used.',
        ["for_each"],
      ),
    );
  }
  if (mode === "managed" && json.connection !== undefined) {
    diagnostics.push(unsupportedConnection(where));
  }
  const provisioners =
    mode === "managed" ? await readProvisioners(json.provisioner, where, diagnostics) : [];
  if (count ?? forEach) diagnostics.push(...checkOwnInstances(provisioners, address));
  const own = mode === "managed" ? [...META_ARGUMENTS, ...MANAGED_ONLY] : META_ARGUMENTS;
  return {
    mode,
    type,
    name,
    address,
    where,
    body: await readBody(json, own, where, diagnostics),
    ...(count && { count }),
    ...(forEach && { forEach }),
    dependsOn: readDependencies(json.depends_on, where, diagnostics),
    provider: readProviderReference(json.provider, type, where, diagnostics),
    lifecycle: await readLifecycle(json, mode, where, diagnostics),
    provisioners,
  };
}

/** Reads `count` or `for_each`, which must not be null. */
function readRepetition(
  json: Readonly<Record<string, unknown>>,
  name: "count" | "for_each",
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
) {
  return json[name] === undefined ? undefined : readAttribute(json[name], name, where, diagnostics);
}
