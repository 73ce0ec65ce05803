import { endpoint, type RouteRow } from "../endpoint";

/** GET in 20.04, POST from 20.09 on. The call only generates a file, so it may be replayed. */
function download(path: string): RouteRow[] {
  return [
    { method: "GET", path, until: "20.04" },
    { method: "POST", path, since: "20.09", replaySafe: true },
  ];
}

/** Files that install a defender (section 4.3). */
export const defenders = {
  downloadLinuxScript: endpoint({
    spec: "4.3",
    answer: "text/plain",
    routes: download("/api/v1/scripts/defender.sh"),
  }),
  downloadWindowsScript: endpoint({
    spec: "4.3",
    answer: "text/plain",
    routes: download("/api/v1/scripts/defender.ps1"),
  }),
  downloadHelmChart: endpoint({
    spec: "4.3",
    answer: "application/x-gzip",
    routes: download("/api/v1/defenders/helm/{product}-defender-helm.tar.gz"),
  }),
  downloadDaemonSet: endpoint({
    spec: "4.3",
    answer: "text/yaml",
    routes: download("/api/v1/defenders/daemonset.yaml"),
  }),
};
