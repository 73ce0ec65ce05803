import { createHmac } from "node:crypto";
import { hasChange, type Release } from "../api/release";
import { isDocument, isEmpty, type Document } from "./documents";

/** A credential (section 2.5) with empty members. */
export const EMPTY_CREDENTIAL = {
  _id: "",
  type: "",
  accountID: "",
  accountGUID: "",
  secret: { encrypted: "" },
  apiToken: { encrypted: "" },
  lastModified: null,
  owner: "",
  tokens: null,
} satisfies Document;

/** Returns why the console refuses the credentials of an entry; undefined if it accepts them. */
export function credentialProblem(entry: Document, release: Release): string | undefined {
  if (isEmpty(entry.credential)) return undefined;
  if (hasChange(release, "credentialsById")) {
    return "credential: inline credentials are not accepted: name a stored one by credentialID";
  }
  return isEmpty(entry.credentialID) && isEmpty(entry.credentialId)
    ? undefined
    : "credential: give either an inline credential or a credentialID, not both";
}

/** Returns an entry as stored: without secrets in plain text. */
export function sealCredential(
  entry: Document,
  by: { readonly caller: string; readonly now: Date; readonly sealingKey: Buffer },
): Document {
  const { credential } = entry;
  if (!isDocument(credential)) return entry;
  const secret = seal(credential.secret, by.sealingKey);
  const apiToken = seal(credential.apiToken, by.sealingKey);
  const isNew = secret !== credential.secret || apiToken !== credential.apiToken;
  return {
    ...entry,
    credential: {
      ...credential,
      ...(secret !== undefined && { secret }),
      ...(apiToken !== undefined && { apiToken }),
      ...(isNew && { lastModified: by.now.toISOString(), owner: by.caller }),
    },
  };
}

/** Hashes a secret, which the console never needs again, so that nothing reveals it. */
function seal(secret: unknown, key: Buffer): unknown {
  if (!isDocument(secret) || typeof secret.plain !== "string") return secret;
  const { plain, ...rest } = secret;
  const encrypted = createHmac("sha256", key).update(plain).digest("base64");
  return plain === "" ? rest : { ...rest, encrypted };
}

/** Returns an entry as the release shows it: from 20.09 on with the credential's ID only. */
export function presentCredential(entry: Document, release: Release): Document {
  return hasChange(release, "credentialsById") && !isEmpty(entry.credential)
    ? { ...entry, credential: EMPTY_CREDENTIAL }
    : entry;
}
