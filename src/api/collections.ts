import type { z } from "zod";
import { onceForEach } from "../core/alike";
import {
  compliancePolicySchema,
  registrySpecificationSchema,
  serverlessAutoDeploySpecSchema,
  serverlessScanScopeSchema,
} from "./bodies";
import {
  endpoint,
  type Endpoint,
  type Method,
  type NamedEndpoint,
  type Route,
  type RouteRows,
} from "./endpoint";
import { SINCE, type Release } from "./release";

/**
 * The collections of the console: lists that are read and replaced as a whole. A collection needs
 * one row here. Its endpoints, `ConsoleClient.read` and `replace`, and the simulator's routes,
 * storage and edits are derived from the row:
 *
 *     trustedHosts: {
 *       what: "trusted hosts",
 *       resource: "cwp_trusted_hosts",
 *       item: trustedHostSchema,
 *       endpoints: {
 *         read: call("getTrustedHosts", "4.4", ["GET", "…"]),
 *         replace: call("putTrustedHosts", "4.4", ["PUT", "…"]),
 *       },
 *     },
 *
 * The first route may name the release that it begins with (`since`), and each later one the section
 * that announces it. `read` and `replace` may be replayed regardless of their method, `add` may not. `member` and `enveloped`
 * describe the object around the list, if there is one. A collection that a user describes is such a
 * row too: `ConsoleClient.read` and `replace` take it as a value.
 */
const ROWS = {
  /** Section 2.4: a bare array, or an object with `rules`. */
  policies: {
    what: "compliance policies",
    resource: "cwp_compliance_policy_set",
    item: compliancePolicySchema,
    member: "rules",
    endpoints: {
      read: call("getCompliancePolicies", "4.2", ["GET", "/api/v1/policies/compliance/container"]),
      replace: call("putCompliancePolicies", "4.2", [
        "PUT",
        "/api/v1/policies/compliance/container",
      ]),
    },
  },
  /** Section 2.5: an object with `specifications`, also when it is empty. */
  registry: {
    what: "registry settings",
    resource: "cwp_registry_scan",
    inlineCredentials: true,
    item: registrySpecificationSchema,
    member: "specifications",
    enveloped: true,
    endpoints: {
      read: call("getRegistrySettings", "4.4", ["GET", "/api/v1/settings/registry"]),
      replace: call("putRegistrySettings", "4.4", ["PUT", "/api/v1/settings/registry"]),
      add: adding("addRegistrySpecification", "4.4", ["POST", "/api/v1/settings/registry"]),
    },
  },
  /** Section 4.4, which names the write only. In `next` POST adds one scope (9.3.3). */
  serverlessScan: {
    what: "serverless scan scopes",
    resource: "cwp_serverless_scan",
    inlineCredentials: true,
    item: serverlessScanScopeSchema,
    showsRelease: { credentialIDs: SINCE.scopesPerAccount },
    endpoints: {
      read: call("getServerlessScan", "4.4", ["GET", "/api/v1/settings/serverless-scan"]),
      replace: call(
        "replaceServerlessScan",
        "4.4",
        ["POST", "/api/v1/settings/serverless-scan"],
        ["PUT", "/api/v1/settings/serverless-scan", { section: "9.3.3" }],
      ),
      add: adding("addServerlessScanScope", "9.3", [
        "POST",
        "/api/v1/settings/serverless-scan",
        { since: "next" },
      ]),
    },
  },
  /** Section 4.4. */
  serverlessAutoDeploy: {
    what: "serverless auto-deploy settings",
    resource: "cwp_serverless_auto_deploy",
    inlineCredentials: true,
    item: serverlessAutoDeploySpecSchema,
    endpoints: {
      read: call(
        "getServerlessAutoDeploy",
        "4.4",
        ["GET", "/api/v1/settings/serverless-auto-protect"],
        ["GET", "/api/v1/settings/serverless-auto-deploy", { section: "9.1.3" }],
      ),
      replace: call(
        "replaceServerlessAutoDeploy",
        "4.4",
        ["POST", "/api/v1/settings/serverless-auto-protect"],
        ["POST", "/api/v1/settings/serverless-auto-deploy", { section: "9.1.3" }],
      ),
    },
  },
} as const satisfies Readonly<Record<string, CollectionRow>>;

/** Members that the console sets in most items: the time and the author of the last change. */
export const SET_BY_CONSOLE: readonly string[] = ["modified", "owner"];

/** The items of a collection and the forms of its body. */
export interface CollectionShape<Item> {
  /** Name for messages, in the plural. */
  readonly what: string;
  readonly item: z.ZodType<Item, Item>;
  /** Member of the envelope. Default: only the bare array is read. */
  readonly member?: string;
  /** The members that identify an item. Default: none do, so that two items may be alike. */
  readonly key?: readonly string[];
  /** True if consoles answer with the envelope, even when it is empty. */
  readonly enveloped?: boolean;
  /** True if items of 20.04 have inline credentials, which later releases do not accept (9.1). */
  readonly inlineCredentials?: boolean;
  /** Members by the first release whose items have them. */
  readonly showsRelease?: Readonly<Record<string, Release>>;
}

/** One row of the table. */
export interface CollectionRow<
  Item = unknown,
  Name extends string = string,
> extends CollectionShape<Item> {
  /** The type of the resource that manages it; absent where users describe the collection. */
  readonly resource?: string;
  /** `add` takes one item; only some collections have it. */
  readonly endpoints: Readonly<
    Record<"read" | "replace", CollectionCall<Name>> & Partial<Record<"add", CollectionCall<Name>>>
  >;
}

interface CollectionCall<Name extends string> {
  readonly name: Name;
  /** The section of the specification; null if it does not name the call. */
  readonly spec: string | null;
  readonly routes: RouteRows;
  /** Default: true. */
  readonly replaySafe?: boolean;
  /** See `Endpoint.pages`. */
  readonly pages?: boolean;
}

/** A call that adds one item: a replay adds another one. */
function adding<const Name extends string>(...row: Parameters<typeof call<Name>>) {
  return { ...call(...row), replaySafe: false };
}

/** A call of a collection; its routes are oldest first. */
function call<const Name extends string>(
  name: Name,
  spec: string,
  [method, path, span]: readonly [Method, path: string, span?: Pick<Route, "since">],
  ...moved: readonly (readonly [Method, path: string, Required<Pick<Route, "section">>])[]
): CollectionCall<Name> {
  return {
    name,
    spec,
    routes: [
      { method, path, ...span },
      ...moved.map(([later, to, { section }]) => ({ method: later, path: to, section })),
    ],
  };
}

type Rows = typeof ROWS;
/** The name of a collection. */
export type CollectionKind = keyof Rows;
/** One item of a collection. */
export type ItemOf<Kind extends CollectionKind> = z.infer<Rows[Kind]["item"]>;

type Calls<Row extends Rows[CollectionKind]> = Row["endpoints"][keyof Row["endpoints"]];
type NameOf<Call> = Call extends { readonly name: infer Name } ? Name : never;
/** The names of the collections' endpoints. */
export type CollectionEndpointName = {
  [Kind in CollectionKind]: NameOf<Calls<Rows[Kind]>>;
}[CollectionKind];

/** The table of collections. */
export const COLLECTIONS: {
  readonly [Kind in CollectionKind]: CollectionRow<ItemOf<Kind>, CollectionEndpointName>;
} = ROWS;

/** All kinds, in the table's order. */
export const COLLECTION_KINDS = Object.keys(ROWS) as readonly CollectionKind[];

/** Returns the endpoint of a collection's call. */
export const collectionEndpoint = onceForEach(
  ({ name, spec, routes: [first, ...moved], replaySafe = true, pages }: CollectionCall<string>) => {
    const rows = moved.map((route) => ({ replaySafe, ...route }));
    const row = endpoint({
      spec,
      routes: [{ replaySafe, ...first }, ...rows],
      ...(pages !== undefined && { pages }),
    });
    return { name, ...row } satisfies NamedEndpoint;
  },
);

/** The endpoints of all collections, by name. */
export const collectionEndpoints = Object.fromEntries(
  Object.values<CollectionRow>(ROWS).flatMap(({ endpoints }) =>
    Object.values(endpoints).map((call) => {
      const { name, ...row } = collectionEndpoint(call);
      return [name, row];
    }),
  ),
) as Readonly<Record<CollectionEndpointName, Endpoint>>;
