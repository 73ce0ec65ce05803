import "reflect-metadata";
import { X509CertificateGenerator } from "@peculiar/x509";
import { webcrypto } from "node:crypto";

/** A self-signed P-521 certificate as PEM, as Terraform uses. */
export interface ClientCertificate {
  readonly key: string;
  readonly certificate: string;
}

export async function clientCertificate(): Promise<ClientCertificate> {
  const algorithm = { name: "ECDSA", namedCurve: "P-521", hash: "SHA-512" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=localhost",
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 30_000),
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey));
  return {
    certificate: certificate.toString("pem"),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8.toString("base64")}\n-----END PRIVATE KEY-----\n`,
  };
}
