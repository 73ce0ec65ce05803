import { execFileSync } from "node:child_process";
import { parseTarGzip } from "nanotar";
import type { EndpointName } from "../../src/api/endpoints";
import { RELEASES, type Release } from "../../src/api/release";
import { Console } from "../../src/simulator";
import { ADMIN, ask, ready } from "./ask";

const SETTINGS = { consoleAddr: "console.example.com", privileged: true, namespace: "guard" };
const SH = "scripts/defender.sh";
const PS1 = "scripts/defender.ps1";
const YAML = "defenders/daemonset.yaml";
const CHART = "defenders/helm/svc-defender-helm.tar.gz";

/** Sends a request in the form of the release: as query in 20.04, as body from 20.09 on. */
async function started(release: Release) {
  const console = await ready(new Console({ release }));
  return (path: string, settings?: Record<string, string | number | boolean>) => {
    const entries = Object.entries(settings ?? {}).map(([key, value]) => [key, String(value)]);
    return release === "20.04"
      ? ask(console, `GET /api/v1/${path}?${new URLSearchParams(entries).toString()}`, {
          as: ADMIN,
        })
      : ask(console, `POST /api/v1/${path}`, { as: ADMIN, body: settings });
  };
}

async function unpack(archive: string | Buffer) {
  const files = await parseTarGzip(Uint8Array.from(Buffer.from(archive)));
  return Object.fromEntries(files.map(({ name, text }) => [name, text]));
}

describe.each(RELEASES)("defender artifacts of release %s", (release) => {
  test.each([
    [SH, "text/plain", "#!/bin/sh\n"],
    [PS1, "text/plain", "# "],
    [YAML, "text/yaml", "apiVersion: apps/v1\n"],
    [CHART, "application/x-gzip", "\x1f"],
  ])("%s is %s, with settings and without", async (path, type, beginning) => {
    const fetch = await started(release);
    for (const settings of [undefined, {}, SETTINGS, { ...SETTINGS, unknown: 5 }]) {
      const { status, headers, body, text } = await fetch(path, settings);
      expect([status, headers["content-type"]]).toEqual([200, type]);
      expect(text.startsWith(beginning)).toBe(true);
      expect((await fetch(path, settings)).body).toEqual(body);
    }
  });

  test("contain the requested settings", async () => {
    const fetch = await started(release);
    expect((await fetch(SH, SETTINGS)).text).toContain("CONSOLE_ADDR='console.example.com'\n");
    expect((await fetch(PS1, SETTINGS)).text).toContain("$ConsoleAddr = 'console.example.com'\n");
    const { text } = await fetch(YAML, { ...SETTINGS, serviceAccounts: false });
    expect(text).toContain('value: "console.example.com"\n');
    expect(text).toContain('namespace: "guard"\n');
    expect(text).toContain("privileged: true\n");
    expect(text).toContain("automountServiceAccountToken: false\n");
  });

  test("refuse a setting of the wrong type", async () => {
    const fetch = await started(release);
    expect(await fetch(YAML, { privileged: "perhaps" })).toMatchObject({ status: 400 });
  });

  test("name the chart after the product", async () => {
    const fetch = await started(release);
    for (const product of ["svc", "other"]) {
      const { body } = await fetch(`defenders/helm/${product}-defender-helm.tar.gz`, SETTINGS);
      const files = await unpack(body);
      const folder = `${product}-defender-helm`;
      expect(Object.keys(files)).toEqual(
        ["Chart.yaml", "values.yaml", "templates/daemonset.yaml"].map((at) => `${folder}/${at}`),
      );
      expect(files[`${folder}/Chart.yaml`]).toContain(`name: "${folder}"`);
      expect(files[`${folder}/values.yaml`]).toContain('namespace: "guard"\n');
      expect(files[`${folder}/values.yaml`]).toContain("privileged: true\n");
      expect(files[`${folder}/templates/daemonset.yaml`]).toContain("{{ .Values.privileged }}");
    }
  });
});

test("refuses a body that is not an object of settings", async () => {
  const console = await ready(new Console());
  for (const body of ["[]", "{", "null", '{"consoleAddr":5}']) {
    const { status } = await ask(console, `POST /api/v1/${SH}`, { as: ADMIN, body });
    expect([body, status]).toEqual([body, 400]);
  }
});

test("quotes settings, so that none becomes a command", async () => {
  const fetch = await started("20.12");
  const consoleAddr = `'; echo "pwned"; $(echo pwned) '`;
  const script = (await fetch(SH, { consoleAddr })).text.replace(/^\[ "\$\(uname.*$/m, "");
  const printed = execFileSync("sh", ["-s"], { input: script, encoding: "utf8" });
  expect(printed.split("\n")[0]).toBe(`Console: ${consoleAddr}`);
  expect((await fetch(PS1, { consoleAddr })).text).toContain(
    `$ConsoleAddr = '''; echo "pwned"; $(echo pwned) '''\n`,
  );
});

const ENDPOINTS: readonly EndpointName[] = [
  "downloadLinuxScript",
  "downloadWindowsScript",
  "downloadDaemonSet",
  "downloadHelmChart",
];

test("logs artifacts by endpoint", async () => {
  const console = await ready(new Console());
  for (const path of [SH, PS1, YAML, CHART]) {
    await ask(console, `POST /api/v1/${path}`, { as: ADMIN });
  }
  expect(console.requests.map(({ endpoint }) => endpoint)).toEqual(ENDPOINTS);
});
