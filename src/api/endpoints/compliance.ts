import { endpoint, get } from "../endpoint";

/** Policies, scan results and statistics (sections 4.2, 4.5, 9.3). */
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
