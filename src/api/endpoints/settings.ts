import { endpoint } from "../endpoint";

/** Scan settings, auto-deploy, serverless functions and cloud discovery (sections 4.4, 4.5, 9). */
export const settings = {
  /** In 20.04 the path spells `autoprotect` in one word, unlike the path of the settings. */
  getServerlessAutoDeployStatus: endpoint({
    spec: "4.4",
    defended: ["member"],
    routes: [
      { method: "GET", path: "/api/v1/statuses/serverless-autoprotect", until: "20.04" },
      { method: "GET", path: "/api/v1/statuses/serverless-auto-deploy", since: "20.09" },
    ],
  }),
  getHostAutoDeployStatus: endpoint({
    spec: "4.4",
    defended: ["member"],
    routes: [{ method: "GET", path: "/api/v1/statuses/host-auto-deploy" }],
  }),
  getServerlessFunctions: endpoint({
    spec: "4.5",
    defended: ["query", "member"],
    routes: [{ method: "GET", path: "/api/v1/serverless" }],
  }),
  downloadServerlessFunctions: endpoint({
    spec: "4.5",
    answer: "text/csv",
    defended: ["query", "column"],
    routes: [{ method: "GET", path: "/api/v1/serverless/download" }],
  }),
  getServerlessFunctionNames: endpoint({
    spec: "4.5",
    defended: ["query"],
    routes: [{ method: "GET", path: "/api/v1/serverless/names" }],
  }),
  getCloudDiscovery: endpoint({
    spec: "4.5",
    defended: ["member"],
    routes: [{ method: "GET", path: "/api/v1/cloud/discovery" }],
  }),
  downloadCloudDiscovery: endpoint({
    spec: "4.5",
    answer: "text/csv",
    defended: ["column"],
    routes: [{ method: "GET", path: "/api/v1/cloud/discovery/download" }],
  }),
};
