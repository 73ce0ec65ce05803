import type { EndpointName } from "../../../src/api";
import { collectionProofs } from "./collections";
import { complianceProofs } from "./compliance";
import { defenderProofs } from "./defenders";
import { deprecatedProofs } from "./deprecated";
import type { Proof } from "./proof";
import { settingsProofs } from "./settings";
import { setupProofs } from "./setup";

/** The proofs by the file that holds them, in the order of the table of endpoints. */
export const PROOF_FILES = {
  setup: setupProofs,
  collections: collectionProofs,
  compliance: complianceProofs,
  defenders: defenderProofs,
  settings: settingsProofs,
  deprecated: deprecatedProofs,
} as const;

/** Of every endpoint: one that is missing does not compile. */
export const PROOFS: Readonly<Record<EndpointName, Proof>> = {
  ...setupProofs,
  ...collectionProofs,
  ...complianceProofs,
  ...defenderProofs,
  ...settingsProofs,
  ...deprecatedProofs,
};
