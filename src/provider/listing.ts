import type { EndpointChange, NamedEndpoint } from "../api/endpoint";
import type { EndpointName } from "../api/endpoints";
import type { CollectionKind } from "../api/collections";
import type { Release } from "../api/release";
import type { Console } from "./console/connection";
import { knowingItsConsole } from "./console/known-console";
import { releaseWarning } from "./console/other-release";
import type { DataSource, DataSourceDefinition } from "../core/definitions/data-source-definition";
import type {
  OperationContext,
  Resource,
  ResourceDefinition,
} from "../core/definitions/resource-definition";
import type { Attributes } from "../core/schema/attribute";
import type { PrivateState } from "../core/private-state";
import type { AttributePath, ObjectValue } from "../core/values";

/*
 * The metadata of a definition in addition to its schema. Constructs, docs pages, `adopt`, the
 * lists of the conftest policy and the tables of the tests derive from it.
 */

/** A heading of the docs. */
export type Category =
  | "Setup"
  | "Policies"
  | "Registries"
  | "Containers"
  | "Serverless and cloud"
  | "Defenders"
  | "Anything else";

/** The use of the API, which releases change. */
export interface UsedEndpoints {
  /** The endpoints that the operations call; their deprecations apply to the definition. */
  readonly endpoints?: readonly EndpointName[];
  /** The endpoints that a configuration of any path calls, as far as their releases are known. */
  readonly endpointsOf?: (config: ObjectValue) => readonly NamedEndpoint[];
  /** The endpoints that only notes in a plan depend on: their changes break nothing. */
  readonly noteEndpoints?: readonly EndpointName[];
  /** The changes of releases for configurations with certain members. */
  readonly releaseChanges?: readonly ReleaseChange[];
}

export interface DataSourceListing extends UsedEndpoints {
  /** The heading of the docs that lists the definition. */
  readonly category: Category;
  /** A configuration that every release with the endpoints accepts. Default: no attribute is set. */
  readonly sample?: ObjectValue;
}

export interface ResourceListing extends UsedEndpoints {
  /** The heading of the docs that lists the definition. */
  readonly category: Category;
  /** Name of the construct, such as `CompliancePolicySet`. */
  readonly construct: string;
  /**
   * A configuration that every release with the endpoints accepts. Tests apply it to a console of
   * each.
   */
  readonly sample: ObjectValue;
  /**
   * The step of a console's setup that the resource is. Default: it needs a console that is set up.
   */
  readonly setup?: "bootstrap" | "license";
  /** An import ID for the docs, where there is no default one. */
  readonly importExample?: string;
  /** Set where the resource manages a collection that the API replaces as a whole. */
  readonly collection?: CollectionListing;
  /** Examines what an import ID names, by reads alone. */
  readonly examine?: (
    importId: string,
    context: Pick<OperationContext<Console>, "connection" | "signal">,
  ) => Promise<ExaminedCollection>;
}

/** How a console answers a collection, without its content. */
export interface ExaminedCollection {
  /** The member that has the list; null for a bare array. */
  readonly envelope: string | null;
  readonly entries: number;
  /** Members of entries that have no attribute, or that contain others without one. */
  readonly unmanaged: readonly string[];
  /** Members of entries that a write would change although nothing has changed. */
  readonly changed: readonly string[];
}

export interface CollectionListing {
  /** Its name in the API's table; absent where users describe the collection. */
  readonly kind?: CollectionKind;
  /** The attribute that holds the entries. */
  readonly list: string;
  /** The entries in messages, in the plural: "compliance policies". */
  readonly what: string;
  /** The construct ID in stacks that `adopt` writes. */
  readonly constructId: string;
  /**
   * Returns the members of the console's items that an imported state does not hold. They stay on the
   * console.
   */
  unmanagedMembers(
    state: ObjectValue,
    privateState: PrivateState,
    release: Release,
  ): readonly string[];
  /** Returns the keys of the entries of a state, by which a shared import finds them. */
  keysOf(state: ObjectValue, release: Release): readonly string[];
  /** The parts that can be imported instead of the whole; none for a document. */
  partsOf(state: ObjectValue): "ordered" | "shared" | undefined;
}

export type ListedResource = Resource<Console> & ResourceListing;
export type ListedDataSource = DataSource<Console> & DataSourceListing;

/** Infers the types of a resource's states from its attributes. Its objects know their console. */
export function consoleResource<A extends Attributes>(
  definition: ResourceDefinition<A, Console> & ResourceListing,
): ListedResource {
  return knowingItsConsole<ListedResource>(definition);
}

/** Infers the types of a data source's states from its attributes. */
export function dataSource<A extends Attributes>(
  definition: DataSourceDefinition<A, Console> & DataSourceListing,
): DataSourceDefinition<A, Console> & DataSourceListing {
  return {
    ...definition,
    read: async (config, context) => {
      const result = await definition.read(config, context);
      const doubt = releaseWarning(context.connection);
      return doubt ? { ...result, diagnostics: [...(result.diagnostics ?? []), doubt] } : result;
    },
  };
}

/**
 * A change of a release that affects stacks (specification, section 9). Changes that the provider
 * hides, such as other paths, methods and terms, are not among them.
 */
export interface ReleaseChange extends EndpointChange {
  /** The subject of the change, as the beginning of a sentence: "Inline credentials". */
  readonly what: string;
  /**
   * `deprecates`: it continues to work. `replaces`: its results change. `refuses`: its use is an
   * error from that release on.
   */
  readonly effect: "deprecates" | "replaces" | "refuses";
  /** The paths that use it; absent if every configuration uses it. */
  readonly usedAt?: (config: ObjectValue) => readonly AttributePath[];
}
