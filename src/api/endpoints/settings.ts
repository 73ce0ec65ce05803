import { endpoint } from "../endpoint";

/** Scan settings, auto-deploy, serverless functions and cloud discovery (sections 4.4, 4.5, 9). */
export const settings = {
  getRegistrySettings: endpoint({
    spec: "4.4",
    routes: [{ method: "GET", path: "/api/v1/settings/registry" }],
  }),
  putRegistrySettings: endpoint({
    spec: "4.4",
    routes: [{ method: "PUT", path: "/api/v1/settings/registry" }],
  }),
  addRegistrySpecification: endpoint({
    spec: "4.4",
    routes: [{ method: "POST", path: "/api/v1/settings/registry" }],
  }),
  /** Implied: the specification names the write only. */
  getServerlessScan: endpoint({
    spec: "4.4",
    routes: [{ method: "GET", path: "/api/v1/settings/serverless-scan" }],
  }),
  /** Replaces all scopes in every release; `next` takes POST for adding one (9.3.3). */
  replaceServerlessScan: endpoint({
    spec: "4.4",
    routes: [
      {
        method: "POST",
        path: "/api/v1/settings/serverless-scan",
        until: "20.12",
        replaySafe: true,
      },
      { method: "PUT", path: "/api/v1/settings/serverless-scan", since: "next" },
    ],
  }),
  addServerlessScanScope: endpoint({
    spec: "9.3",
    routes: [{ method: "POST", path: "/api/v1/settings/serverless-scan", since: "next" }],
  }),
  getServerlessAutoDeploy: endpoint({
    spec: "4.4",
    routes: [
      { method: "GET", path: "/api/v1/settings/serverless-auto-protect", until: "20.04" },
      { method: "GET", path: "/api/v1/settings/serverless-auto-deploy", since: "20.09" },
    ],
  }),
  /** Replaces all specifications. */
  replaceServerlessAutoDeploy: endpoint({
    spec: "4.4",
    routes: [
      {
        method: "POST",
        path: "/api/v1/settings/serverless-auto-protect",
        until: "20.04",
        replaySafe: true,
      },
      {
        method: "POST",
        path: "/api/v1/settings/serverless-auto-deploy",
        since: "20.09",
        replaySafe: true,
      },
    ],
  }),
  /** The path of 20.04 is spelled unlike that of its settings: `autoprotect`, in one word. */
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
