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

/** Proofs with content; those of other collections read and replace an empty list. */
const PROOFS: Partial<Record<CollectionEndpointName, Omit<Proof, "method"> & Partial<Proof>>> = {
  getCompliancePolicies: {
    async prove(client) {
      const { items } = await client.read("policies");
      expect(items.map(({ owner }) => owner)).toEqual(["system", "system"]);
    },
  },
  putCompliancePolicies: {
    async prove(client) {
      await client.replace("policies", { envelope: null, items: [{ name: "one" }] });
      const { items } = await client.read("policies");
      expect(items.map(({ name }) => name)).toEqual(["one"]);
    },
  },
  getRegistrySettings: {
    async prove(client) {
      expect((await client.read("registry")).items).toEqual([]);
    },
  },
  putRegistrySettings: {
    async prove(client) {
      const found = await client.read("registry");
      await client.replace("registry", { ...found, items: [specification] });
      expect((await client.read("registry")).items).toMatchObject([specification]);
    },
  },
  addRegistrySpecification: {
    method: "addRegistrySpecification",
    async prove(client) {
      await client.addRegistrySpecification(specification);
      expect((await client.read("registry")).items).toMatchObject([specification]);
    },
  },
  getServerlessScan: {
    async prove(client) {
      expect((await client.read("serverlessScan")).items).toEqual([]);
    },
  },
  replaceServerlessScan: {
    async prove(client, release) {
      const scope = scopeWithCredentialIDs({ provider: "aws" }, ["c"], release);
      await client.replace("serverlessScan", { envelope: null, items: [{ provider: "gcp" }] });
      await client.replace("serverlessScan", { envelope: null, items: [scope] });
      expect((await client.read("serverlessScan")).items).toEqual([scope]);
    },
  },
  addServerlessScanScope: {
    method: "addServerlessScanScope",
    async prove(client) {
      await client.addServerlessScanScope({ provider: "aws" });
      await client.addServerlessScanScope({ provider: "gcp" });
      expect((await client.read("serverlessScan")).items).toHaveLength(2);
    },
  },
  getServerlessAutoDeploy: {
    async prove(client) {
      expect((await client.read("serverlessAutoDeploy")).items).toEqual([]);
    },
  },
  replaceServerlessAutoDeploy: {
    async prove(client) {
      await client.replace("serverlessAutoDeploy", { envelope: null, items: [deploy] });
      expect((await client.read("serverlessAutoDeploy")).items).toEqual([deploy]);
    },
  },
};

/** Proofs of the collections' endpoints, in the table's order. */
export const collectionProofs = Object.fromEntries(
  COLLECTION_KINDS.flatMap((kind) => {
    const { endpoints }: CollectionRow<unknown, CollectionEndpointName> = COLLECTIONS[kind];
    return Object.entries(endpoints).map(([role, { name }]) => [
      name,
      { method: `${role}("${kind}")`, prove: rewrites(kind, role), ...PROOFS[name] },
    ]);
  }),
) as Proofs<CollectionEndpointName>;

/** Begins with the call of the role, which a release without it refuses. */
function rewrites(kind: CollectionKind, role: string): Proof["prove"] {
  return async (client) => {
    if (role === "read") expect(await client.read(kind)).toHaveProperty("items");
    await client.replace(kind, { envelope: null, items: [] });
    expect(await client.read(kind)).toMatchObject({ items: [] });
  };
}
