/** The client of the console's API: the entry point `cdktf-console/client`. */
export type {
  AutoDeployRecord,
  AutoDeployStatuses,
  CloudDiscovery,
  CloudDiscoveryRecord,
  Serverless,
  ServerlessFilter,
  ServerlessFunction,
} from "./areas/cloud";
export type { ComplianceStatistics } from "./areas/compliance-statistics";
export {
  type FinishedScan,
  type ContainerQuery,
  type Containers,
  type Container,
  isScanComplete,
  unfinishedScans,
} from "./areas/containers";
export {
  DEFENDER_ARTIFACTS,
  type DefenderArtifactKind,
  type DefenderArtifactOptions,
  type DefenderArtifacts,
} from "./areas/defender-artifacts";
export type { Images } from "./areas/images";
export { type PageQuery, PAGE_LIMIT, type Page } from "./areas/list";
export type { FinishedRegistryScan, RegistryImage, RegistryImages } from "./areas/registry-images";
export type { ScanOptions, ScanProgress } from "./areas/scan";
export {
  type ListPage,
  type ListReading,
  parseTotalCount,
  readWhole,
  type RowKeys,
  type WholeList,
} from "./areas/whole-list";
export { normalizeBaseUrl } from "./base-url";
export * from "./bodies";
export { ConsoleClient, type CustomRule } from "./client";
export type { ClientOptions, RequestOptions } from "./client-options";
export { readCollection, writeCollection, type Collection, type Envelope } from "./collection-body";
export {
  COLLECTION_KINDS,
  COLLECTIONS,
  type CollectionEndpointName,
  type CollectionKind,
  type CollectionRow,
  type CollectionShape,
  type ItemOf,
} from "./collections";
export type { Credentials } from "./credentials";
export {
  type Deprecation,
  defendedTerm,
  ENDPOINT_NAMES,
  ENDPOINTS,
  endpointFor,
  releasesOf,
  routesOf,
  variesByRelease,
  type EndpointName,
  type EndpointTarget,
  type ResolvedEndpoint,
} from "./endpoints";
export type {
  ContentType,
  DefendedTerm,
  Endpoint,
  EndpointChange,
  Method,
  NamedEndpoint,
  NamePosition as Place,
  Route,
} from "./endpoint";
export * from "./errors";
export type { Probing, RequestEvent } from "./http/exchange";
export { Paces, type PaceClock } from "./http/pace";
export { parseJson, stringifyJson, toNumber, type JsonNumber } from "../core/json/lossless-json";
export { jsonNumber } from "../core/json/json-number";
export { compareReleases, DEFAULT_RELEASE, RELEASES, type Release } from "./release";
export type { ReleaseFinding } from "./release-probe";
export type { ConsoleResponse } from "./http/response";
export type {
  AnnouncedComplianceStats,
  ComplianceRate,
  ComplianceStats,
} from "./areas/compliance-statistics";
export { readCsv, type CsvRecord } from "./areas/csv";
export { layerTimes, type Image, type LayerTime } from "./areas/images";
export { scopeCredentialIDs, scopeWithCredentialIDs } from "./serverless-scope";
export type { Spellings } from "./areas/spelling";
export { parseTimestamp, type Timestamp } from "./areas/timestamp";
export { saveFile, type SavedFile } from "./save-file";
export {
  SCAN_REPORT_SCHEMAS,
  type ScanDay,
  type ScanReport,
  type ScanReportSchema,
  type ScanResult,
  type ScanVulnerability,
} from "./scan-report/scan-report";
export { readScanReport } from "./scan-report/read";
export { writeScanReport, type WriteScanReportOptions } from "./scan-report/write";
export type { TlsOptions } from "./http/tls";
export { NothingSent } from "../core/io/proxy";
export type { Transport, TransportRequest, TransportResponse } from "./http/transport";
