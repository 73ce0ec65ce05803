import { compareReleases, type Release } from "./release";

/** First release that accepts credentials by ID only (9.1.2). */
export const CREDENTIALS_BY_ID_SINCE = "20.09" satisfies Release;

/** True if registry and serverless scan settings of the release may contain inline credentials. */
export function takesInlineCredentials(release: Release): boolean {
  return compareReleases(release, CREDENTIALS_BY_ID_SINCE) < 0;
}
