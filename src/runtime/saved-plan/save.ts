import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { isWhollyKnown, type KnownValue, type ObjectValue } from "../../provider/values";
import { unmark } from "../expressions/evaluated";
import type { PlanDocument } from "../documents/plan-document";
import type { PlanScope, PlanRequest } from "../plan/request";
import type { StackRun } from "../plan/run";
import type { State } from "../state/state";
import { formatState } from "../state/write";
import { digestOf } from "./file";
import type { StackEntry } from "../config/assembly";
import type { StackConfig } from "../config/stack-config";

/**
 * A hash that identifies a value without revealing it. Ephemeral variables may be passwords of low
 * entropy, and others may read a plan file: so it is scrypt with a random salt, at the cost of a
 * stored password (128 MiB, some tenths of a second a guess).
 */
export const seal = z.object({ salt: z.base64(), hash: z.base64() });
type Seal = z.infer<typeof seal>;

const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 192 * 2 ** 20 };
const LENGTH = 32;

export async function sealValue(value: KnownValue): Promise<Seal> {
  const salt = randomBytes(16);
  const hash = await derive(value, salt);
  return { salt: salt.toString("base64"), hash: hash.toString("base64") };
}

export async function fits(value: KnownValue, { salt, hash }: Seal): Promise<boolean> {
  const derived = await derive(value, Buffer.from(salt, "base64"));
  const expected = Buffer.from(hash, "base64");
  return expected.length === derived.length && timingSafeEqual(derived, expected);
}

function derive(value: KnownValue, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(JSON.stringify(value), salt, LENGTH, COST, (failure, hash) => {
      if (failure) reject(failure);
      else resolve(hash);
    });
  });
}

/**
 * The plan of one stack with everything that is needed to plan it again. It is applied only if the
 * new plan is the saved one.
 */
export interface SavedPlan {
  readonly stack: Pick<StackConfig, "name" | "directory" | "workspace"> &
    Pick<StackEntry, "dependencies">;
  /** The content of cdk.tf.json. */
  readonly configuration: unknown;
  readonly request: Required<PlanRequest>;
  readonly variables: {
    /** The values of variables that are not ephemeral. */
    readonly settled: Readonly<Record<string, unknown>>;
    /** Seals of ephemeral variables, to compare them when they are given again. */
    readonly sealed: Readonly<Record<string, Seal>>;
  };
  readonly basis: Basis;
  /** Digests of the private state of changed objects, by address. */
  readonly digests: Readonly<Record<string, string>>;
  /** The results of data sources, by address: they are not read again. */
  readonly data: ReadonlyMap<string, ObjectValue>;
  /** The plan document that was reviewed. */
  readonly document: PlanDocument;
}

/** The state that a plan was made from. */
interface Basis extends Pick<State, "lineage" | "serial"> {
  /** The digest of the state; "none" for a stack that was never applied. */
  readonly sha256: string;
}

/** Builds the saved plan of a stack that is planned and not applied. */
export async function savedPlan(
  run: StackRun,
  document: PlanDocument,
  scope: PlanScope,
): Promise<SavedPlan> {
  const { config, after } = run.context;
  const { settled, ephemeral } = variablesOf(run);
  const sealed: Record<string, Seal> = {};
  // One after the other: each needs 128 MiB of memory.
  for (const [name, value] of ephemeral) sealed[name] = await sealValue(value);
  return {
    stack: {
      name: config.name,
      directory: config.directory,
      workspace: config.workspace,
      dependencies: after,
    },
    configuration: config.json,
    request: {
      mode: scope.mode,
      refresh: scope.refresh,
      replace: [...scope.replace],
      targets: scope.targets.map(({ text }) => text),
    },
    variables: { settled: Object.fromEntries(settled), sealed },
    basis: basisOf(run.stored),
    digests: digestsOf(run),
    data: new Map(
      document.plan.changes.flatMap(({ address, mode, action, after: read }) =>
        mode === "data" && action === "no-op" && read ? [[address, read] as const] : [],
      ),
    ),
    document,
  };
}

/** Separates the values of ephemeral variables, which are in no file, from the others. */
function variablesOf({ context }: StackRun) {
  const values = [...context.variables].map(([name, evaluated]): [string, KnownValue] => {
    const { value } = unmark(evaluated);
    if (!isWhollyKnown(value)) throw new Error(`var.${name} is not known`);
    return [name, value];
  });
  const isEphemeral = (name: string) => context.config.variables.get(name)?.ephemeral === true;
  return {
    ephemeral: values.filter(([name]) => isEphemeral(name)),
    settled: values.filter(([name]) => !isEphemeral(name)),
  };
}

export function basisOf(state: State | undefined): Basis {
  if (!state) return { lineage: "", serial: 0, sha256: "none" };
  const { lineage, serial } = state;
  return { lineage, serial, sha256: digestOf(formatState(state)) };
}

/** Returns digests of the private state of changed objects. */
export function digestsOf({ changes }: StackRun): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...changes.values()].flat().flatMap(({ change, prior }) => {
      if (!prior || change.action === "no-op") return [];
      const { address, deposed } = change;
      const key = deposed === undefined ? address : `${address} (${deposed})`;
      return [[key, digestOf(JSON.stringify(prior.private))]];
    }),
  );
}
