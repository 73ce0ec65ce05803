import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { CertificateAuthority } from "../../src/simulator";

const authority = CertificateAuthority.create("Test");

test("issues server certificates for the loopback names on P-256", async () => {
  const ca = new X509Certificate((await authority).certificate);
  const { certificate } = await (await authority).issueServerCertificate();
  const leaf = new X509Certificate(certificate);
  expect(ca.ca).toBe(true);
  expect(leaf.ca).toBe(false);
  expect(leaf.checkIssued(ca)).toBe(true);
  expect(leaf.verify(ca.publicKey)).toBe(true);
  expect(leaf.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  expect(leaf.checkHost("localhost")).toBe("localhost");
  expect(leaf.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(leaf.checkIP("::1")).toBe("::1");
  expect(leaf.checkHost("example.com")).toBeUndefined();
});

test("issues certificates valid since yesterday and shorter than the authority", async () => {
  const ca = new X509Certificate((await authority).certificate);
  const leaf = new X509Certificate(
    (await (await authority).issueClientCertificate("u")).certificate,
  );
  const yesterday = Date.now() - 23 * 60 * 60 * 1000;
  expect(Date.parse(ca.validFrom)).toBeLessThan(yesterday);
  expect(Date.parse(leaf.validFrom)).toBeLessThan(yesterday);
  expect(Date.parse(leaf.validTo)).toBeGreaterThan(Date.now() + 300 * 24 * 60 * 60 * 1000);
  expect(Date.parse(ca.validTo)).toBeGreaterThan(Date.parse(leaf.validTo));
});

test("gives every certificate another serial number", async () => {
  const issued = await Promise.all(
    [1, 2, 3].map(async () => (await authority).issueServerCertificate()),
  );
  expect(
    new Set(issued.map(({ certificate }) => new X509Certificate(certificate).serialNumber)).size,
  ).toBe(3);
});

test("issues certificates of a stored authority", async () => {
  const loaded = await CertificateAuthority.load((await authority).keyed);
  const leaf = new X509Certificate((await loaded.issueServerCertificate()).certificate);
  expect(leaf.verify(new X509Certificate((await authority).certificate).publicKey)).toBe(true);
});

test("refuses the key of another authority", async () => {
  const { key } = (await CertificateAuthority.create("Other")).keyed;
  const { certificate } = (await authority).keyed;
  await expect(CertificateAuthority.load({ certificate, key })).rejects.toThrow(
    "do not belong together",
  );
});

test("refuses a key whose secret does not fit its public part", async () => {
  const { certificate, key } = (await authority).keyed;
  const der = Buffer.from(key.replace(/-----.+-----|\n/g, ""), "base64");
  // The secret is behind the headers of the structure, in front of the public part.
  der[40] = (der[40] ?? 0) ^ 1;
  const damaged = `-----BEGIN PRIVATE KEY-----\n${der.toString("base64")}\n-----END PRIVATE KEY-----\n`;
  const { publicKey } = new X509Certificate(certificate);
  expect(createPublicKey(createPrivateKey(damaged)).equals(publicKey)).toBe(true);
  await expect(CertificateAuthority.load({ certificate, key: damaged })).rejects.toThrow();
});
