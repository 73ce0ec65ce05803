/** The client of the console's API: the entry point `cdktf-console/client`. */
export { normalizeBaseUrl } from "./base-url";
export * from "./bodies";
export { ConsoleClient } from "./client";
export type { ClientOptions, RequestOptions } from "./client-options";
export {
  compliancePolicies,
  readCollection,
  registrySpecifications,
  serverlessAutoDeploySpecs,
  serverlessScanScopes,
  writeCollection,
  type Collection,
  type CollectionKind,
  type Envelope,
} from "./collection";
export type { Credentials } from "./credentials";
export type { ContentType, Endpoint, Method, Route } from "./endpoint";
export {
  ENDPOINT_NAMES,
  ENDPOINTS,
  endpointFor,
  releasesOf,
  routesOf,
  type EndpointName,
  type ResolvedEndpoint,
} from "./endpoints";
export * from "./errors";
export type { RequestEvent } from "./exchange";
export { jsonNumber, parseBody, stringifyBody, toNumber, type JsonNumber } from "./json";
export { nextOffset, PAGE_LIMIT, paged, parseTotalCount, type Page } from "./paging";
export { compareReleases, DEFAULT_RELEASE, RELEASES, type Release } from "./release";
export type { ConsoleResponse } from "./response";
export type { TlsOptions } from "./tls";
export {
  NothingSent,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "./transport";
