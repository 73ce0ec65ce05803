import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PROVIDER_SOURCE, PROVIDER_VERSION } from "../../src/provider/identity";
import { CertificateAuthority } from "../../src/simulator/certificates";
import { LONG_TESTS } from "../support/cases";

/** The platforms that are built: with LONG_TESTS all, otherwise that of this machine and another system. */
export const PLATFORMS = LONG_TESTS
  ? ["linux_amd64", "linux_arm64", "windows_amd64"]
  : ["linux_amd64", "windows_amd64"];
const SUMS = "SHA256SUMS";
const SIGNING_KEY = "signing-key.asc";

/** The name of the packed provider of a platform. */
export const zipOf = (platform: string) =>
  `terraform-provider-cwp_${PROVIDER_VERSION}_${platform}.zip`;

/** A registry of providers, and a host of static files, over TLS. */
export interface Registry {
  /** `localhost:PORT` */
  readonly host: string;
  /** Variables by which clients trust its certificate. */
  readonly environment: Readonly<Record<string, string>>;
  /** Requested paths. */
  readonly requests: readonly string[];
  readonly close: () => void;
}

/** Reads a file that is served, by its path. */
export type Files = (path: string) => Buffer | undefined;

/** Serves files over TLS. `folder`: for the certificate of its authority. */
export async function serveFiles(files: Files, folder: string): Promise<Registry> {
  const authority = await CertificateAuthority.create("Authority of a registry");
  const { certificate, key } = await authority.issueServerCertificate();
  const caFile = join(folder, "registry-ca.pem");
  writeFileSync(caFile, authority.certificate);
  const requests: string[] = [];
  const server = createServer({ cert: certificate, key }, ({ url = "" }, response) => {
    requests.push(url);
    const content = files(url);
    if (content === undefined) response.writeHead(404).end();
    else response.setHeader("Content-Type", typeOf(url)).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { host, environment: { SSL_CERT_FILE: caFile }, requests, close };
}

const typeOf = (path: string) =>
  /\.(zip|sig|asc)$|SUMS$/.test(path) ? "application/octet-stream" : "application/json";

/** The protocol of registries of providers, over the files of a release. */
export function registryOf(read: (name: string) => Buffer): Files {
  const services = { "providers.v1": "/providers/" };
  const provider = `/providers/${PROVIDER_SOURCE}`;
  const protocols = manifestOf(read);
  const versions = [
    {
      version: PROVIDER_VERSION,
      protocols,
      platforms: PLATFORMS.map((name) => ({ os: name.split("_")[0], arch: name.split("_")[1] })),
    },
  ];
  const download = new RegExp(`^${provider}/${PROVIDER_VERSION}/download/(\\w+)/(\\w+)$`);
  return (path) => {
    const answer = (content: object) => Buffer.from(JSON.stringify(content));
    if (path === "/.well-known/terraform.json") return answer(services);
    if (path === `${provider}/versions`) return answer({ versions });
    if (path.startsWith("/files/")) return read(path.slice("/files/".length));
    const [, os = "", arch = ""] = download.exec(path) ?? [];
    if (os === "") return undefined;
    const filename = zipOf(`${os}_${arch}`);
    return answer({
      protocols,
      os,
      arch,
      filename,
      download_url: `/files/${filename}`,
      shasum: sumOf(read(SUMS).toString(), filename),
      shasums_url: `/files/${SUMS}`,
      shasums_signature_url: `/files/${SUMS}.sig`,
      signing_keys: {
        gpg_public_keys: [{ key_id: "", ascii_armor: read(SIGNING_KEY).toString() }],
      },
    });
  };
}

function manifestOf(read: (name: string) => Buffer): unknown {
  const text = read(`terraform-provider-cwp_${PROVIDER_VERSION}_manifest.json`).toString();
  const manifest: unknown = JSON.parse(text);
  expect(manifest).toMatchObject({ version: 1, metadata: { protocol_versions: ["6.0"] } });
  return ["6.0"];
}

/** The checksum of a file of a release. */
export function sumOf(sums: string, name: string): string {
  const line = sums.split("\n").find((one) => one.endsWith(`  ${name}`)) ?? "";
  return line.split(" ", 1)[0] ?? "";
}

/** Reads the files of a release. */
export const fromFolder = (folder: string) => (name: string) => readFileSync(join(folder, name));
