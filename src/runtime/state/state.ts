import type { Json, JsonObject } from "./json";
import type { SensitivePath } from "./sensitive-paths";

/**
 * A state, as stored: what Terraform's state file of version 4 says, as immutable data. Attributes
 * are JSON beside the version of the schema that wrote them, and become values only where a
 * provider upgrades and decodes them. What this program does not know is kept in `unknown`, and
 * written back.
 */
export interface State {
  /** A UUID made with the first write. Empty in files that never had one. */
  readonly lineage: string;
  /** One more with every write that changes the content. */
  readonly serial: number;
  readonly terraformVersion: string;
  readonly outputs: Readonly<Record<string, OutputState>>;
  readonly resources: readonly ResourceState[];
  /** What came of all conditions when the stack was last applied; null where it has none. */
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
  /** As Terraform writes it: `module.tenant["a"].module.inner`. Absent in the root module. */
  readonly module?: string | undefined;
  readonly mode: ResourceMode;
  readonly type: string;
  readonly name: string;
  /** `provider["registry.terraform.io/NAMESPACE/TYPE"]`, an alias as `.alias` behind it. */
  readonly provider: string;
  readonly instances: readonly InstanceState[];
  readonly unknown?: JsonObject;
}

export interface InstanceState {
  /** Absent without `count` or `for_each`. */
  readonly indexKey?: InstanceKey | undefined;
  /** Tainted: created, but not as it should be; the next plan replaces it. */
  readonly status?: "tainted";
  /** Eight hex digits: an object that was replaced, but is still to be destroyed. */
  readonly deposed?: string | undefined;
  readonly schemaVersion: number;
  readonly attributes: JsonObject;
  /** In place of `attributes`, from before Terraform 0.12: kept until its provider upgrades it. */
  readonly attributesFlat?: JsonObject;
  readonly sensitivePaths: readonly SensitivePath[];
  /** The provider's own bytes, opaque here. */
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
 * The Terraform version that is written into a new state: the oldest one that stacks of this
 * package run with. A newer version that stands in the file already stays there.
 */
export const TERRAFORM_VERSION = "1.11.0";

/** The version to write over a state that `present` wrote. */
export function versionToWrite(present: string): string {
  const [a, b] = [versionNumbers(present), versionNumbers(TERRAFORM_VERSION)];
  const differing = a.findIndex((number, position) => number !== b[position]);
  return differing < 0 || (a[differing] ?? 0) > (b[differing] ?? 0) ? present : TERRAFORM_VERSION;
}

function versionNumbers(version: string): readonly number[] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return [major, minor, patch].map((digits) => Number(digits ?? 0));
}

/** The state of a stack that was never applied. Its first write makes a lineage, if it has none. */
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

/** An instance of a resource that has nothing but attributes. */
export function newInstance(attributes: JsonObject, schemaVersion = 0): InstanceState {
  return {
    schemaVersion,
    attributes,
    sensitivePaths: [],
    dependencies: [],
    createBeforeDestroy: false,
  };
}
