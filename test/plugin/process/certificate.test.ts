import { createPrivateKey, X509Certificate } from "node:crypto";
import { selfSign } from "../../../src/plugin/process/certificate";

const NOW = Date.parse("2026-03-01T12:00:00Z");

test("creates a self-signed certificate for localhost", () => {
  const { certificate, key, encoded } = selfSign(NOW);
  const read = new X509Certificate(certificate);
  expect(read.subject).toBe("CN=localhost");
  expect(read.issuer).toBe("CN=localhost");
  expect(read.subjectAltName).toBe("DNS:localhost");
  expect(read.ca).toBe(true);
  expect(read.checkHost("localhost")).toBe("localhost");
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(read.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  expect(read.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect(Buffer.from(encoded, "base64")).toEqual(read.raw);
  expect(encoded).not.toContain("=");
});

test("is valid from the day before, for slow clocks", () => {
  const { validFrom, validTo } = new X509Certificate(selfSign(NOW).certificate);
  expect(new Date(validFrom).toISOString()).toBe("2026-02-28T12:00:00.000Z");
  expect(new Date(validTo).toISOString()).toBe("2027-03-01T12:00:00.000Z");
});

test("creates a different valid certificate each time", () => {
  const all = Array.from({ length: 50 }, () => new X509Certificate(selfSign().certificate));
  expect(new Set(all.map(({ serialNumber }) => serialNumber)).size).toBe(50);
  for (const one of all) expect(one.verify(one.publicKey)).toBe(true);
});
