import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXTRA_CA_VARIABLE } from "../../../src/core/io/extra-authorities";
import { authority } from "../../api/support/certificates";
import { closeAll, connect, serve } from "../../api/support/https-console";

const folder = mkdtempSync(join(tmpdir(), "cdktf-console-authorities-"));
let files = 0;

afterEach(async () => {
  delete process.env.CDKTF_CONSOLE_EXTRA_CA_CERTS;
  await closeAll();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function policiesOf(extra: string, ca?: string): Promise<unknown> {
  const ours = await authority();
  const file = join(folder, `${++files}.pem`);
  writeFileSync(file, extra.replace("OURS", ours.ca));
  process.env[EXTRA_CA_VARIABLE] = file;
  const { url } = await serve(await ours.issue(), (_, response) => response.end("[]"));
  const tls = ca === undefined ? {} : { ca };
  return connect({ baseUrl: url, tls, maxRetries: 0 }).getPolicies();
}

test("trusts the authorities of the file beside Node's", async () => {
  expect(await policiesOf("OURS")).toEqual([]);
});

test("trusts them beside a configured authority", async () => {
  const other = await authority("Other");
  expect(await policiesOf("OURS", other.ca)).toEqual([]);
});

test("trusts those of NODE_EXTRA_CA_CERTS beside a configured authority, as the provider does", async () => {
  const [ours, other] = [await authority(), await authority("Other")];
  const file = join(folder, "node.pem");
  writeFileSync(file, ours.ca);
  const before = process.env.NODE_EXTRA_CA_CERTS;
  process.env.NODE_EXTRA_CA_CERTS = file;
  try {
    const { url } = await serve(await ours.issue(), (_, response) => response.end("[]"));
    const client = connect({ baseUrl: url, tls: { ca: other.ca }, maxRetries: 0 });
    expect(await client.getPolicies()).toEqual([]);
  } finally {
    if (before === undefined) delete process.env.NODE_EXTRA_CA_CERTS;
    else process.env.NODE_EXTRA_CA_CERTS = before;
  }
});

test("leaves out what is not a certificate", async () => {
  const damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";
  expect(await policiesOf(`${damaged}\nOURS\n`)).toEqual([]);
});

test("refuses a console of another authority", async () => {
  const other = await authority("Other");
  await expect(policiesOf(other.ca)).rejects.toMatchObject({ problem: "unknown-authority" });
});

test("refuses it with a file that cannot be read", async () => {
  const ours = await authority();
  process.env[EXTRA_CA_VARIABLE] = join(folder, "nowhere.pem");
  const { url } = await serve(await ours.issue(), (_, response) => response.end("[]"));
  const failure = connect({ baseUrl: url, maxRetries: 0 }).getPolicies();
  await expect(failure).rejects.toMatchObject({ problem: "unknown-authority" });
});
