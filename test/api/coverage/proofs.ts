import type { EndpointName } from "../../../src/api";
import { cloudProofs } from "./cloud";
import { collectionProofs } from "./collections";
import { complianceProofs } from "./compliance";
import { defenderProofs } from "./defenders";
import { deprecatedProofs } from "./deprecated";
import type { Proof } from "./proof";
import { setupProofs } from "./setup";

/** The proofs by file, in the order of the table of endpoints. */
export const PROOF_FILES = {
  setup: setupProofs,
  collections: collectionProofs,
  compliance: complianceProofs,
  defenders: defenderProofs,
  cloud: cloudProofs,
  deprecated: deprecatedProofs,
} as const;

/** The proofs of all endpoints; a missing one does not compile. */
export const PROOFS: Readonly<Record<EndpointName, Proof>> = {
  ...setupProofs,
  ...collectionProofs,
  ...complianceProofs,
  ...defenderProofs,
  ...cloudProofs,
  ...deprecatedProofs,
};
