/** The resources of a stack, with those that each directly depends on. */
export interface ResourceGraph {
  readonly stack: string;
  /** Addresses, sorted. */
  readonly resources: readonly {
    readonly address: string;
    readonly dependencies: readonly string[];
  }[];
}
