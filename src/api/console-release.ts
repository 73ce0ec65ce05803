import { type EndpointTarget, type ResolvedEndpoint, variesByRelease } from "./endpoints";
import { ReleaseUndecidedError, WrongReleaseError } from "./errors";
import { missingEndpoint, otherReleaseText, type OtherRelease } from "./other-release";
import { DEFAULT_RELEASE, type Release } from "./release";
import type { ReleaseFinding, ReleaseProbe } from "./release-probe";

/** The release of a console: as configured or detected, and what answers show of it. */
export class ConsoleRelease {
  #known: Release | undefined;
  #noticed: OtherRelease | undefined;
  #missing: OtherRelease | undefined;
  #isConsole = false;

  constructor(
    configured: Release | "auto",
    private readonly probe: ReleaseProbe,
  ) {
    if (configured !== "auto") this.#known = configured;
  }

  /** See `ConsoleClient.release`. */
  get known(): Release | undefined {
    return this.#known;
  }

  /** The release in whose form requests are sent, while it is not known. */
  get assumed(): Release {
    return this.#known ?? DEFAULT_RELEASE;
  }

  /** See `ConsoleClient.otherRelease`. */
  get other(): OtherRelease | undefined {
    return this.#noticed ?? (this.#isConsole ? this.#missing : undefined);
  }

  /** Notices what an answer shows of the release. Throws if it makes the answer wrong. */
  notice(other: OtherRelease | undefined, spoils = false): void {
    if (other && spoils) throw new WrongReleaseError(otherReleaseText(other, this.assumed));
    this.#noticed ??= other;
  }

  /** Notices an endpoint that answers, as those of a console do. */
  answered({ functional }: ResolvedEndpoint): void {
    this.#isConsole ||= functional;
  }

  /** Notices a refusal, as of an endpoint that is not there. */
  refused(endpoint: ResolvedEndpoint, status: number): void {
    // A probe asks for endpoints of other releases.
    if (endpoint.release === this.#known) this.#missing ??= missingEndpoint(endpoint, status);
  }

  /** See `ConsoleClient.detectRelease`. */
  async detect(signal?: AbortSignal): Promise<Release | undefined> {
    return this.#known ?? (await this.#ask(signal)).release;
  }

  /** See `ConsoleClient.resolveRelease`. */
  async resolve(signal?: AbortSignal): Promise<Release> {
    if (this.#known !== undefined) return this.#known;
    const { release, error } = await this.#ask(signal);
    if (release !== undefined) return release;
    throw error ?? new ReleaseUndecidedError();
  }

  /** See `ConsoleClient.findRelease`. */
  find(signal?: AbortSignal): Promise<ReleaseFinding> {
    return this.probe.finding(signal);
  }

  /** Returns the release in which to call an endpoint. Throws the error that prevented its detection. */
  async forTarget(target: EndpointTarget, signal: AbortSignal | undefined): Promise<Release> {
    return variesByRelease(target) ? this.resolve(signal) : this.assumed;
  }

  async #ask(signal: AbortSignal | undefined): Promise<ReleaseFinding> {
    const finding = await this.find(signal);
    this.#known ??= finding.release;
    return finding;
  }
}
