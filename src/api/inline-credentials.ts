import { compareReleases, type Release } from "./release";

/** From this release on credentials are named by their ID, and nothing else of them (9.1.2). */
export const CREDENTIALS_BY_ID_SINCE = "20.09" satisfies Release;

/** Whether registry and serverless scan settings of the release may carry a credential inline. */
export function takesInlineCredentials(release: Release): boolean {
  return compareReleases(release, CREDENTIALS_BY_ID_SINCE) < 0;
}
