import { hasChange } from "../../../src/api/release";
import { collectItems } from "../../../src/api/areas/list";
import { layerTimes } from "../../../src/api";
import type { compliance } from "../../../src/api/endpoints";
import { CSV, type Proofs, textOf } from "./proof";

/** Sections 4.2, 4.5 and 9.3: policies, results and statistics. */
export const complianceProofs: Proofs<keyof typeof compliance> = {
  getContainers: {
    method: "containers.list",
    async prove(client) {
      const all = await collectItems(client.containers.list());
      expect(all.length).toBeGreaterThan(50);
      expect(new Set(all.map(({ _id }) => _id)).size).toBe(all.length);
    },
  },
  startContainerScan: {
    method: "containers.startScan",
    async prove(client) {
      expect((await client.containers.startScan()).getTime()).not.toBeNaN();
    },
  },
  getRuntimePolicies: {
    method: "getRuntimePolicies",
    async prove(client) {
      expect(await client.getRuntimePolicies()).toBeInstanceOf(Object);
    },
  },
  getPolicies: {
    method: "getPolicies",
    async prove(client) {
      expect(await client.getPolicies()).toBeInstanceOf(Object);
    },
  },
  getImages: {
    method: "images.list",
    async prove(client, release) {
      const times = (await collectItems(client.images.list())).flatMap(layerTimes);
      expect(times.length > 0).toBe(hasChange(release, "layerTimes"));
    },
  },
  getComplianceStats: {
    method: "complianceStats.get",
    async prove(client, release) {
      const { kind } = await client.complianceStats.get();
      expect(kind).toBe(release === "next" ? "announced" : "current");
    },
  },
  downloadComplianceStats: {
    method: "complianceStats.download",
    async prove(client) {
      expect(await textOf(client.complianceStats.download())).toMatch(CSV);
    },
  },
  getCustomRules: {
    method: "getCustomRules",
    async prove(client) {
      expect((await client.getCustomRules()).length).toBeGreaterThan(0);
    },
  },
  getContainerLabels: {
    method: "containers.labels",
    async prove(client) {
      expect((await client.containers.labels()).length).toBeGreaterThan(0);
    },
  },
};
