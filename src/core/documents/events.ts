import type { Action } from "./stack-plan";

/** An event of the engine. The engine prints nothing; its observers do. */
export type EngineEvent = {
  readonly stack: string;
  /** With its instance key: `null_resource.gate[0]`. */
  readonly address: string;
  /** Set where a deposed object is meant. */
  readonly deposed?: string;
} & (
  | { readonly type: "refresh_start"; readonly id?: string }
  | { readonly type: "refresh_complete"; readonly id?: string }
  | { readonly type: "import_start"; readonly id: string }
  | { readonly type: "import_prepared"; readonly resourceType: string }
  /** Events of an `import` block: while it is planned, then around its import into the state. */
  | { readonly type: "import_planned"; readonly id: string }
  | { readonly type: "import_apply_start"; readonly id: string }
  | { readonly type: "import_apply_complete"; readonly id: string }
  | { readonly type: "apply_start"; readonly action: ActionStep; readonly id?: string }
  /** Every ten seconds, and whenever the provider says what it is waiting for. */
  | {
      readonly type: "apply_progress";
      readonly action: ActionStep;
      readonly elapsedMs: number;
      readonly id?: string;
      readonly message?: string;
    }
  | {
      readonly type: "apply_complete";
      readonly action: ActionStep;
      readonly elapsedMs: number;
      readonly id?: string;
    }
  | { readonly type: "apply_errored"; readonly action: ActionStep; readonly elapsedMs: number }
  | { readonly type: "ephemeral_op_start"; readonly action: "open" | "renew" | "close" }
  | {
      readonly type: "ephemeral_op_complete" | "ephemeral_op_errored";
      readonly action: "open" | "renew" | "close";
      readonly elapsedMs: number;
    }
  | { readonly type: "provision_start"; readonly provisioner: string }
  /** One line of output, without its line break. */
  | { readonly type: "provision_progress"; readonly provisioner: string; readonly line: string }
  | { readonly type: "provision_complete"; readonly provisioner: string }
  | { readonly type: "provision_errored"; readonly provisioner: string }
);

/** One step of an action: a replacement is a `delete` and a `create`. */
export type ActionStep = Extract<Action, "create" | "read" | "update" | "delete">;

/** Called for each event, in the order in which things happen; must not throw. */
export type Observer = (event: EngineEvent) => void;
