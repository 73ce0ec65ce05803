import type { setup } from "../../../src/api/endpoints";
import { ADMIN } from "./console-for";
import type { Proofs } from "./proof";

/** Section 4.1 and the ping. */
export const setupProofs: Proofs<keyof typeof setup> = {
  ping: {
    method: "ping",
    async prove(client) {
      await expect(client.ping()).resolves.toBeUndefined();
    },
  },
  signUp: {
    method: "signUp",
    async prove(client) {
      await client.signUp(ADMIN);
      await expect(client.authenticate()).resolves.toBeUndefined();
      await expect(client.signUp(ADMIN)).rejects.toMatchObject({ status: 400 });
    },
  },
  authenticate: {
    method: "authenticate",
    async prove(client) {
      await expect(client.authenticate()).resolves.toBeUndefined();
    },
  },
  authenticateClient: {
    method: "authenticate",
    async prove(client) {
      await expect(client.authenticate()).resolves.toBeUndefined();
    },
  },
  installLicense: {
    method: "installLicense",
    async prove(client) {
      await expect(client.installLicense("another key")).resolves.toBeUndefined();
      await expect(client.getPolicies()).resolves.toBeDefined();
    },
  },
};
