import { scopeWithCredentialIDs } from "../../../src/api";
import {
  COLLECTION_KINDS,
  COLLECTIONS,
  type CollectionEndpointName,
  type CollectionKind,
  type CollectionRow,
} from "../../../src/api/collections";
import type { Proof, Proofs } from "./proof";

const specification = { registry: "r.example", repository: "*", tag: "", credentialID: "c" };
const deploy = { name: "one", credentialID: "c" };

/** Proofs of the named methods. */
const NAMED: Partial<Proofs<CollectionEndpointName>> = {
  getCompliancePolicies: {
    method: "getCompliancePolicies",
    async prove(client) {
      const { items } = await client.getCompliancePolicies();
      expect(items.map(({ owner }) => owner)).toEqual(["system", "system"]);
    },
  },
  putCompliancePolicies: {
    method: "putCompliancePolicies",
    async prove(client) {
      await client.putCompliancePolicies({ envelope: null, items: [{ name: "one" }] });
      const { items } = await client.getCompliancePolicies();
      expect(items.map(({ name }) => name)).toEqual(["one"]);
    },
  },
  getRegistrySettings: {
    method: "getRegistrySettings",
    async prove(client) {
      expect((await client.getRegistrySettings()).items).toEqual([]);
    },
  },
  putRegistrySettings: {
    method: "putRegistrySettings",
    async prove(client) {
      const found = await client.getRegistrySettings();
      await client.putRegistrySettings({ ...found, items: [specification] });
      expect((await client.getRegistrySettings()).items).toMatchObject([specification]);
    },
  },
  addRegistrySpecification: {
    method: "addRegistrySpecification",
    async prove(client) {
      await client.addRegistrySpecification(specification);
      expect((await client.getRegistrySettings()).items).toMatchObject([specification]);
    },
  },
  getServerlessScan: {
    method: "getServerlessScan",
    async prove(client) {
      expect((await client.getServerlessScan()).items).toEqual([]);
    },
  },
  replaceServerlessScan: {
    method: "replaceServerlessScan",
    async prove(client, release) {
      const scope = scopeWithCredentialIDs({ provider: "aws" }, ["c"], release);
      await client.replaceServerlessScan({ envelope: null, items: [{ provider: "gcp" }] });
      await client.replaceServerlessScan({ envelope: null, items: [scope] });
      expect((await client.getServerlessScan()).items).toEqual([scope]);
    },
  },
  addServerlessScanScope: {
    method: "addServerlessScanScope",
    async prove(client) {
      await client.addServerlessScanScope({ provider: "aws" });
      await client.addServerlessScanScope({ provider: "gcp" });
      expect((await client.getServerlessScan()).items).toHaveLength(2);
    },
  },
  getServerlessAutoDeploy: {
    method: "getServerlessAutoDeploy",
    async prove(client) {
      expect((await client.getServerlessAutoDeploy()).items).toEqual([]);
    },
  },
  replaceServerlessAutoDeploy: {
    method: "replaceServerlessAutoDeploy",
    async prove(client) {
      await client.replaceServerlessAutoDeploy({ envelope: null, items: [deploy] });
      expect((await client.getServerlessAutoDeploy()).items).toEqual([deploy]);
    },
  },
};

/** Proofs of the collections' endpoints, in the table's order. */
export const collectionProofs = Object.fromEntries(
  COLLECTION_KINDS.flatMap((kind) => {
    const { endpoints }: CollectionRow<unknown, CollectionEndpointName> = COLLECTIONS[kind];
    return Object.entries(endpoints).map(([role, { name }]) => [
      name,
      NAMED[name] ?? (role === "read" ? reads(kind) : replaces(kind)),
    ]);
  }),
) as Proofs<CollectionEndpointName>;

function reads(kind: CollectionKind): Proof {
  return {
    method: `read("${kind}")`,
    async prove(client) {
      expect((await client.read(kind)).items).toEqual([]);
    },
  };
}

function replaces(kind: CollectionKind): Proof {
  return {
    method: `replace("${kind}")`,
    async prove(client) {
      const { envelope } = await client.read(kind);
      await client.replace(kind, { envelope, items: [] });
      expect(await client.read(kind)).toMatchObject({ items: [] });
    },
  };
}
