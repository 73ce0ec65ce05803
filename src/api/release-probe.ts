import { unlessAborted } from "./http/abort";
import { endpointFor, ENDPOINT_NAMES, type EndpointName, type ResolvedEndpoint } from "./endpoints";
import { ApiError, ConsoleError, SchemaMismatchError } from "./errors";
import { RELEASES, releaseBefore, type Release } from "./release";
import type { ConsoleResponse } from "./http/response";

/** The result of a release detection. */
export interface ReleaseFinding {
  /** Undefined if undecided; the next call detects it again. */
  readonly release: Release | undefined;
  /** One sentence for a log. */
  readonly why: string;
  /** The error that prevented a decision. */
  readonly error?: ConsoleError;
}

/** An endpoint in a release. */
export interface Probe {
  readonly endpoint: EndpointName;
  readonly release: Release;
}

/** An endpoint that a release moves, and that can be asked for without effect in both places. */
function movedBy(release: Release): EndpointName | undefined {
  const before = releaseBefore(release);
  if (before === undefined) return undefined;
  return ENDPOINT_NAMES.find((name) => {
    const [old, now] = [endpointFor(name, before), endpointFor(name, release)];
    return isReadable(old) && isReadable(now) && old.path !== now.path;
  });
}

function isReadable(endpoint: ResolvedEndpoint | undefined): endpoint is ResolvedEndpoint {
  return (
    endpoint?.method === "GET" && endpoint.replaySafe && endpoint.answer === "application/json"
  );
}

const MOVES: readonly Probe[] = RELEASES.flatMap((release) => {
  const endpoint = movedBy(release);
  return endpoint === undefined ? [] : [{ endpoint, release }];
});

/**
 * GETs without effect, each on a path that some releases lack: those that a release moves, oldest
 * first, and the oldest of all as it was before.
 */
export const PROBES: readonly Probe[] = [
  ...MOVES,
  ...MOVES.slice(0, 1).map(({ endpoint }) => ({ endpoint, release: RELEASES[0] })),
];

/** Releases between two moves answer alike; the newest of them is reported. */
const CANDIDATES: readonly Release[] = RELEASES.filter((_, index) => {
  const newer = RELEASES[index + 1];
  return newer === undefined || MOVES.some(({ release }) => release === newer);
});

/**
 * Detects the release of a console. Each answer excludes the candidates for which the table
 * predicts another one. The remaining candidate is the result, provided that at least one endpoint
 * was found: a server that answers 404 to everything is not a console.
 *
 * @param has Returns true if the endpoint exists; throws a ConsoleError if that cannot be decided.
 */
export async function probeRelease(
  has: (probe: Probe) => Promise<boolean>,
): Promise<ReleaseFinding> {
  let candidates = CANDIDATES;
  const there: string[] = [];
  const absent: string[] = [];
  for (const probe of PROBES) {
    const path = pathOf(probe.endpoint, probe.release);
    let isThere: boolean;
    try {
      isThere = await has(probe);
    } catch (error) {
      if (!(error instanceof ConsoleError)) throw error;
      const why = `The console's release could not be detected; the next call tries again: ${error.message}`;
      return { release: undefined, why, error };
    }
    (isThere ? there : absent).push(`GET ${path}`);
    candidates = candidates.filter((one) => (pathOf(probe.endpoint, one) === path) === isThere);
    const [release, ...others] = candidates;
    if (release !== undefined && others.length === 0 && there.length > 0) {
      return {
        release,
        why: `The console runs release ${named(release)}: ${shown(there, absent)}.`,
      };
    }
  }
  const why = `The console's release could not be detected; the next call tries again: ${shown(there, absent)}.`;
  return { release: undefined, why };
}

/** Sends the request. 404, 405 and a web page mean that there is no such endpoint. */
export async function answers(request: () => Promise<ConsoleResponse>): Promise<boolean> {
  try {
    (await request()).json();
    return true;
  } catch (error) {
    if (error instanceof SchemaMismatchError) return false;
    if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return false;
    throw error;
  }
}

/** Caches the result of the detection. Concurrent callers share one detection. */
export class ReleaseProbe {
  #finding: Promise<ReleaseFinding> | undefined;

  constructor(
    private readonly find: () => Promise<ReleaseFinding>,
    private readonly onFinding: ((finding: ReleaseFinding) => void) | undefined,
  ) {}

  /** Returns the cached result, or detects the release again if it was undecided. */
  finding(signal?: AbortSignal): Promise<ReleaseFinding> {
    this.#finding ??= this.#probe().catch((error: unknown) => {
      this.#finding = undefined;
      throw error;
    });
    return unlessAborted(this.#finding, signal);
  }

  async #probe(): Promise<ReleaseFinding> {
    const finding = await this.find();
    if (finding.release === undefined) this.#finding = undefined;
    this.onFinding?.(finding);
    return finding;
  }
}

function pathOf(endpoint: EndpointName, release: Release): string | undefined {
  return endpointFor(endpoint, release)?.path;
}

function named(release: Release): string {
  const alike: string[] = [];
  for (let older = releaseBefore(release); older && !CANDIDATES.includes(older);) {
    alike.push(older);
    older = releaseBefore(older);
  }
  if (alike.length === 0) return release;
  return `${[release, ...alike].join(" or ")} (reported as ${release})`;
}

function shown(there: readonly string[], absent: readonly string[]): string {
  return [
    ...there.map((call) => `it has ${call}`),
    ...absent.map((call) => `it lacks ${call}`),
  ].join(", ");
}
