import type { Attributes } from "../../../src/core/schema/attribute";

/** A construct whose source is generated; of the provider only the props and their getters. */
export interface GeneratedConstruct {
  /** The class: `License`, `DataConsoleContainers`. */
  readonly name: string;
  readonly kind: "provider" | "resource" | "collection" | "data-source";
  readonly description: string;
  readonly attributes: Attributes;
}

/** A construct with a generated class. */
export interface GeneratedClass extends GeneratedConstruct {
  readonly kind: "resource" | "collection" | "data-source";
  /** `cwp_license` */
  readonly type: string;
  /** The module of the definition, below src/provider: `resources/license`. */
  readonly module: string;
  readonly exported: string;
  /** TypeScript that uses the construct. */
  readonly example: string;
}
