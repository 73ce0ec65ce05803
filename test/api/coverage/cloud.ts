import { collectItems } from "../../../src/api/areas/list";
import type { cloud } from "../../../src/api/endpoints";
import { CSV, type Proofs, textOf } from "./proof";

const deploy = { name: "one", credentialID: "c" };

/** Sections 4.4, 4.5 and 9.3: settings, auto-deploy, serverless functions and cloud discovery. */
export const cloudProofs: Proofs<keyof typeof cloud> = {
  getServerlessAutoDeployStatus: {
    method: "autoDeploy.serverless",
    async prove(client) {
      await client.replace("serverlessAutoDeploy", { envelope: null, items: [deploy] });
      const [status] = await client.autoDeploy.serverless();
      expect(status).toHaveProperty("defended");
    },
  },
  getHostAutoDeployStatus: {
    method: "autoDeploy.host",
    async prove(client) {
      const [status] = await client.autoDeploy.host();
      expect(status).toHaveProperty("defended");
    },
  },
  getServerlessFunctions: {
    method: "serverless.list",
    async prove(client) {
      const defended = await collectItems(client.serverless.list({ defended: true }));
      expect(defended.length).toBeGreaterThan(0);
      expect(defended.every((one) => one.defended === true)).toBe(true);
    },
  },
  downloadServerlessFunctions: {
    method: "serverless.download",
    async prove(client) {
      expect(await textOf(client.serverless.download())).toMatch(CSV);
    },
  },
  getServerlessFunctionNames: {
    method: "serverless.names",
    async prove(client) {
      const [defended, others, all] = await Promise.all([
        client.serverless.names({ defended: true }),
        client.serverless.names({ defended: false }),
        client.serverless.names(),
      ]);
      expect([...defended, ...others].sort()).toEqual([...all].sort());
      expect(defended.length).toBeGreaterThan(0);
      expect(others.length).toBeGreaterThan(0);
    },
  },
  getCloudDiscovery: {
    method: "cloudDiscovery.list",
    async prove(client) {
      const found = await client.cloudDiscovery.list();
      expect(found.some(({ defended }) => typeof defended === "number")).toBe(true);
    },
  },
  downloadCloudDiscovery: {
    method: "cloudDiscovery.download",
    async prove(client) {
      expect(await textOf(client.cloudDiscovery.download())).toMatch(CSV);
    },
  },
};
