import { unlessAborted } from "./http/abort";
import { endpointFor, type EndpointName } from "./endpoints";
import { ApiError, ConsoleError, SchemaMismatchError } from "./errors";
import type { Release } from "./release";
import type { ConsoleResponse } from "./http/response";

/** What came of asking a console which release it runs. */
export interface ReleaseFinding {
  /** Undefined: undecided, and asked again at the next need. */
  readonly release: Release | undefined;
  /** One sentence, for a log. */
  readonly why: string;
  /** What kept it from being decided. */
  readonly error?: ConsoleError;
}

/** An endpoint, as a release has it. */
export interface Probe {
  readonly endpoint: EndpointName;
  readonly release: Release;
}

/** 20.09 cannot be told from 20.12 by GETs, and so is taken for it. */
const CANDIDATES: readonly Release[] = ["20.04", "20.12", "next"];

/** GETs without effect, each on a path that some of the candidates lack. */
export const PROBES: readonly Probe[] = [
  { endpoint: "getServerlessAutoDeploy", release: "20.12" },
  { endpoint: "getCustomRules", release: "next" },
  { endpoint: "getServerlessAutoDeploy", release: "20.04" },
];

/**
 * Which release a console runs, by what it has and lacks: each answer rules out the candidates
 * that the table says would have answered otherwise. The last one left is it, once the console has
 * shown anything at all: who answers 404 to everything is no console.
 *
 * @param has - whether there is such an endpoint; a ConsoleError when that cannot be said
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
      const why = `The console's release is undecided, and asked again later: ${error.message}`;
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
  const why = `The console's release is undecided, and asked again later: ${shown(there, absent)}.`;
  return { release: undefined, why };
}

/** Asks by requests: 404 and 405 say no, and so does a 2xx that is a web page. */
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

/** Keeps what was found; those that ask at the same time wait for the same probe. */
export class ReleaseProbe {
  #finding: Promise<ReleaseFinding> | undefined;

  constructor(
    private readonly find: () => Promise<ReleaseFinding>,
    private readonly onFinding: ((finding: ReleaseFinding) => void) | undefined,
  ) {}

  /** What was found, now or before. What was left undecided is asked again. */
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
  return release === "20.12" ? "20.12, or 20.09, which is taken for it" : release;
}

function shown(there: readonly string[], absent: readonly string[]): string {
  return [
    ...there.map((call) => `it has ${call}`),
    ...absent.map((call) => `it lacks ${call}`),
  ].join(", ");
}
