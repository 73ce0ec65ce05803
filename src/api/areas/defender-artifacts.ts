import type { Caller } from "../caller";
import type { EndpointName } from "../endpoints";

/** What a defender is installed with (section 4.3). */
export const DEFENDER_ARTIFACTS = {
  linux_script: "downloadLinuxScript",
  windows_script: "downloadWindowsScript",
  helm_chart: "downloadHelmChart",
  daemonset: "downloadDaemonSet",
} as const satisfies Readonly<Record<string, EndpointName>>;
/** A name of `DEFENDER_ARTIFACTS`. */
export type DefenderArtifactKind = keyof typeof DEFENDER_ARTIFACTS;

/** What an artefact is to be made for. */
export interface DefenderArtifactOptions {
  /** The product's name in the chart's file name. Default `svc`. */
  readonly product?: string | undefined;
  /**
   * What the artefact is to be made for; a free JSON object (consoleAddr, namespace,
   * orchestration, privileged, serviceAccounts are known). Default empty. Up to 20.04 it goes as
   * the query, which carries its texts, numbers and booleans and leaves out the rest.
   */
  readonly request?: Readonly<Record<string, unknown>> | undefined;
}

/** Downloads of what installs a defender (section 4.3). */
export class DefenderArtifacts {
  constructor(private readonly caller: Caller) {}

  /**
   * The artefact, as the console sends it; scripts may embed secrets. See
   * `ConsoleClient.download`.
   */
  download(
    kind: DefenderArtifactKind,
    { product = "svc", request = {} }: DefenderArtifactOptions = {},
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const options = { params: { product }, input: request, signal };
    return this.caller.download(DEFENDER_ARTIFACTS[kind], options);
  }
}
