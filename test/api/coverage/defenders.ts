import { gunzipSync } from "node:zlib";
import { collectItems } from "../../../src/api/areas/list";
import type { DEFENDER_ARTIFACTS } from "../../../src/api";
import { type DefenderArtifactKind } from "../../../src/api";
import type { Proof, Proofs } from "./proof";

const request = { consoleAddr: "console.example.com" };

/** Section 4.3: the request is sent as the query or the body. */
function artifact(kind: DefenderArtifactKind, textOf = (bytes: Buffer) => bytes.toString()): Proof {
  return {
    method: "defenders.download",
    async prove(client) {
      const bytes = Buffer.concat(await collectItems(client.defenders.download(kind, { request })));
      expect(textOf(bytes)).toContain(request.consoleAddr);
    },
  };
}

type DefenderEndpoint = (typeof DEFENDER_ARTIFACTS)[DefenderArtifactKind];

export const defenderProofs: Proofs<DefenderEndpoint> = {
  downloadLinuxScript: artifact("linux_script"),
  downloadWindowsScript: artifact("windows_script"),
  downloadHelmChart: artifact("helm_chart", (bytes) => gunzipSync(bytes).toString()),
  downloadDaemonSet: artifact("daemonset"),
};
