import type { Caller } from "../caller";
import type { EndpointName } from "../endpoints";

/** Files that install a defender (section 4.3), by kind. */
export const DEFENDER_ARTIFACTS = {
  linux_script: "downloadLinuxScript",
  windows_script: "downloadWindowsScript",
  helm_chart: "downloadHelmChart",
  daemonset: "downloadDaemonSet",
} as const satisfies Readonly<Record<string, EndpointName>>;
/** A key of `DEFENDER_ARTIFACTS`. */
export type DefenderArtifactKind = keyof typeof DEFENDER_ARTIFACTS;

/** Options of a defender artifact. */
export interface DefenderArtifactOptions {
  /** The product's name in the file name of the chart. Default `svc`. */
  readonly product?: string | undefined;
  /**
   * Settings of the defender, a free JSON object (known: consoleAddr, namespace, orchestration,
   * privileged, serviceAccounts). Default empty. In 20.04 it is sent as the query, which carries
   * strings, numbers and booleans only.
   */
  readonly request?: Readonly<Record<string, unknown>> | undefined;
}

/** Downloads of files that install a defender (section 4.3). */
export class DefenderArtifacts {
  constructor(private readonly caller: Caller) {}

  /** Streams the artifact; scripts may embed secrets. See `ConsoleClient.download`. */
  download(
    kind: DefenderArtifactKind,
    { product = "svc", request = {} }: DefenderArtifactOptions = {},
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const options = { params: { product }, input: request, signal };
    return this.caller.download(DEFENDER_ARTIFACTS[kind], options);
  }
}
