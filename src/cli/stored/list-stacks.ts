import { dirname, join } from "node:path";
import { z } from "zod";
import type { StackLabels } from "../../fleet/selection/labels";
import { labelsOf } from "../../fleet/selection/read-labels";
import { memberOf } from "../../core/member-of";
import type { Environment } from "../../core/environment";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { compareStrings } from "../../core/values";
import type { BackendStatus } from "../../backends";
import type { StackEntry } from "../../language";
import type { State } from "../../core/documents/state";
import type { Terminal } from "../terminal/terminal";
import { consoleAddress } from "../../provider/console/address";
import { openStored, type StateOpener } from "./stored-stacks";
import { world } from "../../core/io/world";

/** A stack with its console and its stored state. */
export interface ListedStack extends BackendStatus {
  readonly name: string;
  /** Addresses with the project, as plans show them; expressions as the configuration has them. */
  readonly consoles: readonly string[];
  readonly labels: StackLabels;
  /** Absent before the first apply, and after an error. */
  readonly state?: State;
  readonly diagnostics: readonly Diagnostic[];
}

/** Lists stacks with their states. */
export async function listStacks(
  { environment }: Terminal,
  stacks: readonly StackEntry[],
  open: StateOpener,
): Promise<readonly ListedStack[]> {
  return Promise.all(stacks.map((entry) => listStack(environment, entry, open)));
}

async function listStack(
  environment: Environment,
  entry: StackEntry,
  open: StateOpener,
): Promise<ListedStack> {
  const { name } = entry;
  const { stack, diagnostics } = await open(entry);
  if (!stack) return { name, consoles: [], labels: {}, diagnostics };
  const { state, diagnostics: found } = await stack.backend.read();
  return {
    name,
    consoles: consolesOf(stack.configuration, environment),
    labels: labelsOf(stack.configuration),
    ...(state && !hasErrors(found) && { state }),
    ...(await stack.backend.status()),
    diagnostics: [...diagnostics, ...found],
  };
}

/** Describes a stack and its state without reading the state. */
export async function describeStored(
  terminal: Terminal,
  entry: StackEntry,
): Promise<Pick<ListedStack, "consoles" | "labels" | "writtenAt" | "lock">> {
  const { stack } = await openStored(terminal, entry);
  if (!stack) return { consoles: [], labels: {} };
  return {
    consoles: consolesOf(stack.configuration, terminal.environment),
    labels: labelsOf(stack.configuration),
    ...(await stack.backend.status()),
  };
}

const block = z.object({ base_url: z.unknown(), project: z.unknown() }).partial();
const providers = z.object({ provider: z.object({ cwp: z.array(block) }) });

function consolesOf(configuration: unknown, environment: Environment): readonly string[] {
  const variable = (name: string) => memberOf(environment, name)?.trim();
  const blocks = providers.safeParse(configuration).data?.provider.cwp ?? [];
  const found = blocks.flatMap(
    ({ base_url: url = variable("CONSOLE_URL"), project = variable("CONSOLE_PROJECT") }) => {
      if (typeof url !== "string" || url === "") return [];
      const named = typeof project === "string" && project !== "" ? project : undefined;
      return [consoleAddress(url, named) ?? url];
    },
  );
  return [...new Set(found)];
}

/** The number of managed resource instances, without deposed objects. */
export function countInstances({ resources }: State): number {
  return resources
    .filter(({ mode }) => mode === "managed")
    .flatMap(({ instances }) => instances)
    .filter(({ deposed }) => deposed === undefined).length;
}

/**
 * Finds the state files of local backends that belong to no stack, as a stack leaves one that was
 * removed from the app. Their names are those that cdktf gives: `terraform.STACK.tfstate`.
 */
export async function statesWithoutStack(
  terminal: Terminal,
  all: readonly StackEntry[],
): Promise<readonly string[]> {
  const opened = await Promise.all(all.map((entry) => openStored(terminal, entry)));
  const known = new Set(opened.flatMap(({ stack }) => stack?.backend.location ?? []));
  const folders = new Set([...known].map((file) => dirname(file)));
  const found = await Promise.all(
    [...folders].map(async (folder) => {
      const names = await world.files.readdir(folder).catch(() => []);
      return names.filter((name) => STATE_FILE.test(name)).map((name) => join(folder, name));
    }),
  );
  return found
    .flat()
    .filter((file) => !known.has(file))
    .sort(compareStrings);
}

const STATE_FILE = /^terraform\..+\.tfstate$/;
