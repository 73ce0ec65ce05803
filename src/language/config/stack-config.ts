import type { BackendConfig } from "./backend-block";
import type { Expression, ExpressionPosition } from "../expressions/expression";
import type { Evaluated } from "../../core/values";
import type { Reference, Subject } from "../expressions/reference";
import type { TraversalStep } from "../expressions/template";
import type { Type } from "../../core/types";
import type { InstanceAddress, ResourceAddress } from "../../core/documents/address";
import type { InstanceKey } from "../../core/documents/state";

/** The configuration of one stack: cdk.tf.json, parsed and checked for shape. */
export interface StackConfig {
  readonly name: string;
  /** The folder of cdk.tf.json, absolute: `path.module` and `path.root`. */
  readonly directory: string;
  /** The selected workspace. */
  readonly workspace: string;
  /** The content of cdk.tf.json. */
  readonly json: unknown;
  readonly requiredVersion?: string;
  readonly requiredProviders: ReadonlyMap<string, RequiredProvider>;
  readonly backend: BackendConfig;
  /** By `name` or `name.alias`. */
  readonly providers: ReadonlyMap<string, ProviderBlock>;
  readonly variables: ReadonlyMap<string, VariableConfig>;
  readonly locals: ReadonlyMap<string, Expression>;
  /** Managed resources by address: `cwp_license.license`. */
  readonly resources: ReadonlyMap<string, ResourceConfig>;
  /** Data sources by address: `data.terraform_remote_state.up`. */
  readonly dataSources: ReadonlyMap<string, ResourceConfig>;
  /** Ephemeral resources by address: `ephemeral.cwp_token.t`. */
  readonly ephemerals: ReadonlyMap<string, EphemeralConfig>;
  readonly outputs: ReadonlyMap<string, OutputConfig>;
  readonly checks: ReadonlyMap<string, CheckConfig>;
  readonly moves: readonly MoveConfig[];
  readonly removals: readonly RemovalConfig[];
  readonly imports: readonly ImportConfig[];
}

export interface RequiredProvider {
  /** The source in the configuration, or `hashicorp/NAME`: `cdktf-console/cwp`, `null`. */
  readonly source: string;
  /** The full address: `registry.terraform.io/hashicorp/null`. */
  readonly address: string;
  readonly version?: string;
  /** True if only resources name it: its functions are not available, as in Terraform. */
  readonly isImplied?: true;
}

/** The provider block that a resource uses. */
export interface ProviderReference {
  readonly name: string;
  readonly alias?: string;
}

/** The attributes of a block by name, without `//` and meta-arguments. */
export type Body = ReadonlyMap<string, Expression>;

export interface ProviderBlock extends ProviderReference {
  /** `provider.cwp` or `provider.cwp.alias`. */
  readonly where: ExpressionPosition;
  readonly body: Body;
}

export interface Condition {
  readonly condition: Expression;
  readonly errorMessage: Expression;
}

export interface VariableConfig {
  readonly name: string;
  readonly where: ExpressionPosition;
  /** `any` if the block names none. */
  readonly type: Type;
  /** False if the block names no type: a text from outside is then taken as a string. */
  readonly isTyped: boolean;
  /** Converted to the type; absent if the variable must be set. */
  readonly default?: Evaluated;
  readonly sensitive: boolean;
  readonly ephemeral: boolean;
  readonly nullable: boolean;
  readonly description?: string;
  readonly validations: readonly Condition[];
}

export interface OutputConfig {
  readonly name: string;
  readonly where: ExpressionPosition;
  readonly value: Expression;
  readonly sensitive: boolean;
  readonly ephemeral: boolean;
  readonly description?: string;
  readonly dependsOn: readonly Reference[];
  readonly preconditions: readonly Condition[];
}

/** A `check` block. */
export interface CheckConfig {
  readonly name: string;
  readonly where: ExpressionPosition;
  readonly assertions: readonly Condition[];
  /** True with a data source, which is among those of the stack. */
  readonly reads: boolean;
}

export interface Lifecycle {
  readonly createBeforeDestroy: boolean;
  readonly preventDestroy: boolean;
  readonly ignoreChanges: "all" | readonly (readonly TraversalStep[])[];
  readonly replaceTriggeredBy: readonly ReplaceTrigger[];
  readonly preconditions: readonly Condition[];
  readonly postconditions: readonly Condition[];
}

/** A resource that replaces another one when it changes: an element of `replace_triggered_by`. */
export interface ReplaceTrigger {
  readonly subject: Extract<Subject, { kind: "resource" }>;
  /**
   * Absent without an index: the whole resource or, with steps, its only instance. `own` is the key of
   * the instance that is planned: `[count.index]` or `[each.key]`.
   */
  readonly key?: InstanceKey | { readonly own: true };
  /** The steps to an attribute inside the instance; empty for all of it. */
  readonly steps: readonly TraversalStep[];
}

/** A `local-exec` provisioner. */
export interface LocalExec {
  readonly where: ExpressionPosition;
  readonly when: "create" | "destroy";
  readonly onFailure: "fail" | "continue";
  readonly command: Expression;
  readonly interpreter?: Expression;
  readonly workingDir?: Expression;
  readonly environment?: Expression;
  readonly quiet?: Expression;
}

/** An ephemeral resource: it exists during a run, and is in no plan and no state. */
export type EphemeralConfig = ResourceConfig<"ephemeral">;

export interface ResourceConfig<Mode extends string = "managed" | "data"> {
  readonly mode: Mode;
  readonly type: string;
  readonly name: string;
  readonly address: string;
  readonly where: ExpressionPosition;
  readonly body: Body;
  readonly count?: Expression;
  readonly forEach?: Expression;
  readonly dependsOn: readonly Reference[];
  readonly provider: ProviderReference;
  readonly lifecycle: Lifecycle;
  readonly provisioners: readonly LocalExec[];
  /** The check that a data source belongs to. Its failure is a warning. */
  readonly check?: string;
}

/** A `moved` block. Without a key in either, both are resources, with all their instances. */
export interface MoveConfig {
  readonly where: ExpressionPosition;
  readonly from: InstanceAddress;
  readonly to: InstanceAddress;
}

/** A `removed` block. */
export interface RemovalConfig {
  readonly where: ExpressionPosition;
  readonly from: ResourceAddress;
  /** False: the objects are removed from the state, and stay on the console. */
  readonly destroy: boolean;
  /** They run before an object is destroyed. */
  readonly provisioners: readonly LocalExec[];
}

/** An `import` block; with `forEach` it imports an object for each member. */
export interface ImportConfig {
  readonly where: ExpressionPosition;
  readonly to: ResourceAddress;
  /** The key of the instance. */
  readonly key?: Expression;
  readonly id: Expression;
  readonly forEach?: Expression;
}
