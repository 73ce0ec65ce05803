import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { webcrypto } from "node:crypto";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const HOUR = 3_600_000;

export interface Keyed {
  readonly cert: string;
  readonly key: string;
}

export interface Leaf {
  readonly host?: string;
  /** Hours from now. Default: from an hour ago to an hour from now. */
  readonly from?: number;
  readonly to?: number;
}

/** A certificate authority for one test. */
export async function authority(name = "Test CA") {
  const keys = await generateKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - HOUR),
    notAfter: new Date(Date.now() + HOUR),
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  return {
    ca: root.toString("pem"),
    async issue({ host = "127.0.0.1", from = -1, to = 1 }: Leaf = {}): Promise<Keyed> {
      const leafKeys = await generateKeys();
      const type = /^[\d.]+$/.test(host) ? "ip" : "dns";
      const leaf = await x509.X509CertificateGenerator.create({
        subject: `CN=${host}`,
        issuer: root.subject,
        publicKey: leafKeys.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        notBefore: new Date(Date.now() + from * HOUR),
        notAfter: new Date(Date.now() + to * HOUR),
        extensions: [new x509.SubjectAlternativeNameExtension([{ type, value: host }])],
      });
      const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", leafKeys.privateKey);
      return { cert: leaf.toString("pem"), key: x509.PemConverter.encode(pkcs8, "PRIVATE KEY") };
    },
  };
}

function generateKeys() {
  return webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}
