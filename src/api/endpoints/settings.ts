import { endpoint, get } from "../endpoint";

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
