import { endpoint, get } from "../endpoint";

/** Policies for connectivity tests, scan results and statistics (sections 4.2, 4.5, 9.3). */
export const compliance = {
  getContainers: get("4.2", "/api/v1/containers"),
  /** A GET with an effect: each request starts a scan. */
  startContainerScan: endpoint({
    spec: "4.2",
    routes: [{ method: "GET", path: "/api/v1/containers/scan", replaySafe: false }],
  }),
  getRuntimePolicies: get("4.2", "/api/v1/policies/runtime/container"),
  getPolicies: get("4.2", "/api/v1/policies"),
  getImages: get("4.2", "/api/v1/images"),
  getComplianceStats: get("4.5", "/api/v1/stats/compliance", {
    replaced: {
      in: "next",
      section: "9.3.1",
      why: "the data of today is removed, and rates, a trend and a list of all checks take its place",
    },
  }),
  downloadComplianceStats: endpoint({
    spec: "9.3",
    answer: "text/csv",
    routes: [{ method: "GET", path: "/api/v1/stats/compliance/download", since: "next" }],
  }),
  /** Implied by 9.3.4, which names the path only. */
  getCustomRules: endpoint({
    spec: "9.3",
    routes: [
      { method: "GET", path: "/api/v1/policies/runtime/custom-rules", until: "20.12" },
      { method: "GET", path: "/api/v1/custom-rules", since: "next" },
    ],
  }),
  getContainerLabels: get("4.5", "/api/v1/containers/labels", {
    deprecated: { in: "20.09", section: "9.2", why: "the specification names no reason" },
  }),
};

/** Auto-deploy statuses, serverless functions and cloud discovery (sections 4.4, 4.5). */
export const cloud = {
  /** In 20.04 the path spells `autoprotect` in one word, unlike the path of the settings. */
  getServerlessAutoDeployStatus: endpoint({
    spec: "4.4",
    defended: ["member"],
    routes: [
      { method: "GET", path: "/api/v1/statuses/serverless-autoprotect", until: "20.04" },
      { method: "GET", path: "/api/v1/statuses/serverless-auto-deploy", since: "20.09" },
    ],
  }),
  getHostAutoDeployStatus: get("4.4", "/api/v1/statuses/host-auto-deploy", {
    defended: ["member"],
  }),
  getServerlessFunctions: get("4.5", "/api/v1/serverless", { defended: ["query", "member"] }),
  downloadServerlessFunctions: get("4.5", "/api/v1/serverless/download", {
    answer: "text/csv",
    defended: ["query", "column"],
  }),
  getServerlessFunctionNames: get("4.5", "/api/v1/serverless/names", { defended: ["query"] }),
  getCloudDiscovery: get("4.5", "/api/v1/cloud/discovery", { defended: ["member"] }),
  downloadCloudDiscovery: get("4.5", "/api/v1/cloud/discovery/download", {
    answer: "text/csv",
    defended: ["column"],
  }),
};
