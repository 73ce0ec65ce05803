import { compareReleases, RELEASES, type Release } from "../api/release";
import { error, type Diagnostic } from "../provider/diagnostics";
import type { Upgrade } from "./change";

export interface ReleaseOptions {
  readonly from?: string;
  readonly to?: string;
}

/** Reads the releases of an upgrade; reports all errors at once. */
export function readUpgrade({ from, to }: ReleaseOptions): {
  readonly upgrade?: Upgrade;
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const older = readRelease("--from", from, diagnostics);
  const newer = readRelease("--to", to, diagnostics);
  if (!older || !newer) return { diagnostics };
  if (compareReleases(older, newer) < 0)
    return { upgrade: { from: older, to: newer }, diagnostics };
  const detail =
    older === newer
      ? `--from and --to are both ${older}. Set --from to the console's current release and --to to the release to upgrade to.`
      : `${newer} is older than ${older}: set --from to the older release and --to to the newer one.`;
  return { diagnostics: [error("Invalid upgrade", detail)] };
}

function readRelease(
  option: string,
  given: string | undefined,
  diagnostics: Diagnostic[],
): Release | undefined {
  const known = RELEASES.find((release) => release === given);
  if (known) return known;
  const releases = `The releases are ${RELEASES.join(", ")}.`;
  diagnostics.push(
    given === undefined
      ? error("Missing release", `${option} is required. ${releases}`)
      : error("Unknown release", `${option} is ${JSON.stringify(given)}. ${releases}`),
  );
  return undefined;
}
