import type { Json, JsonObject } from "./state-value";
import type { SensitivePath } from "./sensitive-paths";

/**
 * The content of Terraform's state file of version 4, as immutable data. Attributes are JSON with the
 * version of their schema; providers upgrade and decode them. Members that this program does not know
 * are kept in `unknown`, and written back.
 */
export interface State {
  /** A UUID of the first write; empty in files without one. */
  readonly lineage: string;
  /** Increased with every write that changes the content. */
  readonly serial: number;
  readonly terraformVersion: string;
  readonly outputs: Readonly<Record<string, OutputState>>;
  readonly resources: readonly ResourceState[];
  /** The results of all conditions in the last apply; null if there are none. */
  readonly checkResults: Json;
  readonly unknown: JsonObject;
}

export interface OutputState {
  readonly value: Json;
  /** In cty's notation: `"string"`, `["list", "string"]`, `["object", { … }]`. */
  readonly type: Json;
  readonly sensitive: boolean;
  readonly unknown?: JsonObject;
}

export type ResourceMode = "managed" | "data";

export interface ResourceState {
  /** The module path: `module.tenant["a"].module.inner`. Absent in the root module. */
  readonly module?: string | undefined;
  readonly mode: ResourceMode;
  readonly type: string;
  readonly name: string;
  /** `provider["registry.terraform.io/NAMESPACE/TYPE"]`, with `.alias` for an alias. */
  readonly provider: string;
  readonly instances: readonly InstanceState[];
  readonly unknown?: JsonObject;
}

export interface InstanceState {
  /** Absent without `count` or `for_each`. */
  readonly indexKey?: InstanceKey | undefined;
  /** Tainted: its creation failed; the next plan replaces it. */
  readonly status?: "tainted";
  /** Eight hex digits: a replaced object that is not destroyed yet. */
  readonly deposed?: string | undefined;
  readonly schemaVersion: number;
  readonly attributes: JsonObject;
  /** Instead of `attributes` before Terraform 0.12: kept until the provider upgrades it. */
  readonly attributesFlat?: JsonObject;
  readonly sensitivePaths: readonly SensitivePath[];
  /** Opaque data of the provider. */
  readonly private?: Uint8Array;
  /** Addresses of resources, without keys: `cwp_bootstrap.main`. */
  readonly dependencies: readonly string[];
  readonly createBeforeDestroy: boolean;
  /** Terraform 1.12 and newer: the identity of the object, and the version of its schema. */
  readonly identity?: JsonObject;
  readonly identitySchemaVersion?: number;
  readonly unknown?: JsonObject;
}

export type InstanceKey = string | number;

/**
 * The Terraform version of new states: the oldest one that stacks of this package support. A newer
 * version in a file is kept.
 */
export const TERRAFORM_VERSION = "1.11.0";

/** Returns the version to write to a state of version `present`. */
export function versionToWrite(present: string): string {
  const [a, b] = [versionNumbers(present), versionNumbers(TERRAFORM_VERSION)];
  const differing = a.findIndex((number, position) => number !== b[position]);
  return differing < 0 || (a[differing] ?? 0) > (b[differing] ?? 0) ? present : TERRAFORM_VERSION;
}

function versionNumbers(version: string): readonly number[] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return [major, minor, patch].map((digits) => Number(digits ?? 0));
}

/** Returns the state of a stack that was never applied. The first write sets its lineage. */
export function emptyState(lineage = ""): State {
  return {
    lineage,
    serial: 0,
    terraformVersion: TERRAFORM_VERSION,
    outputs: {},
    resources: [],
    checkResults: null,
    unknown: {},
  };
}

/** Reports whether a state was created, but never written by a run. */
export function isUnused(state: State): boolean {
  return state.serial === 0 && isEmptyState(state);
}

/** Reports whether a state has neither objects nor outputs. */
export function isEmptyState({ resources, outputs }: State): boolean {
  return resources.length === 0 && Object.keys(outputs).length === 0;
}

/** Returns an instance with attributes only. */
export function newInstance(attributes: JsonObject, schemaVersion = 0): InstanceState {
  return {
    schemaVersion,
    attributes,
    sensitivePaths: [],
    dependencies: [],
    createBeforeDestroy: false,
  };
}
