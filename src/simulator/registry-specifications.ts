import type { Release } from "../api/release";
import { filledIn, type Document } from "./documents";
import { EMPTY_CREDENTIAL, presentCredential } from "./inline-credentials";

/** The members of section 2.5, as a console returns those that a specification came without. */
const SPECIFICATION_TEMPLATE = {
  registry: "",
  repository: "",
  tag: "",
  cap: 0,
  os: "",
  hostname: "",
  namespace: "",
  useAWSRole: false,
  version: "",
  credential: EMPTY_CREDENTIAL,
  credentialID: "",
  roleArn: "",
  scanners: 0,
  versionPattern: "",
} satisfies Document;

/** A specification as the release returns it, with every member of section 2.5. */
export function presentSpecification(specification: Document, release: Release): Document {
  return filledIn(presentCredential(specification, release), SPECIFICATION_TEMPLATE);
}
