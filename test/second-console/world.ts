import type { JsonObject } from "./json";

/** The last change of each object. */
export const CHANGED = { modified: "2026-11-27T00:00:00Z", owner: "admin" } as const;

/** Lists of patterns of a collection. */
export const PATTERNS = [
  ..."hosts images labels containers functions".split(" "),
  ..."namespaces appIDs accountIDs codeRepos clusters".split(" "),
];

/** The collection of the console itself. */
const ALL: JsonObject = {
  ...Object.fromEntries(PATTERNS.map((name) => [name, ["*"]])),
  name: "All",
  owner: "system",
  modified: "2026-01-01T00:00:00Z",
  color: "#3FA2F7",
  description: "System - all resources collection",
  system: true,
  prisma: false,
};

/** The content of one project: lists of objects, documents with rules, and documents, by their paths. */
export interface Content {
  /** Objects that are created one by one, by path. */
  lists: Record<string, JsonObject[]>;
  /** Documents with `rules` that are read and replaced as a whole, by path. */
  policies: Record<string, JsonObject>;
  /** Other documents, by path. */
  documents: Record<string, JsonObject>;
}

/** Returns the content of a new project. */
export function newContent(given: Partial<Content> = {}): Content {
  return structuredClone({
    lists: { collections: [ALL], ...given.lists },
    policies: {
      "policies/runtime/container": { _id: "containerRuntime", learningDisabled: false, rules: [] },
      "policies/runtime/host": { _id: "hostRuntime", rules: [] },
      "policies/compliance/container": {
        _id: "containerCompliance",
        policyType: "containerCompliance",
        rules: [],
      },
      "policies/firewall/app/container": {
        _id: "containerAppFirewall",
        rules: [],
        minPort: 30000,
        maxPort: 31000,
      },
      ...given.policies,
    },
    documents: {
      "settings/registry": {
        specifications: [],
        harborScannerUrlSuffix: "/registry/webhook/harbor",
        webhookUrlSuffix: "/registry/webhook",
      },
      "trust/data": { policy: { _id: "trust", rules: [], enabled: false }, groups: [] },
      "settings/certs": {
        consoleSAN: ["127.0.0.1"],
        defenderOldCAExpiration: "0001-01-01T00:00:00Z",
        caExpiration: "2031-01-01T00:00:00Z",
      },
      "settings/logging": {
        syslog: { enabled: false },
        stdout: { enabled: false },
        enableMetricsCollection: false,
      },
      "settings/saml": { enabled: false },
      "settings/license": {
        customer_id: "c1",
        access_token: "tok-very-secret-access",
        type: "evaluation",
        expiration_date: "2030-01-01T00:00:00Z",
        workloads: 1000,
      },
      ...given.documents,
    },
  });
}
