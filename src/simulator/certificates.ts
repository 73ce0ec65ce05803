import type * as X509 from "@peculiar/x509";
import { createPrivateKey, webcrypto, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { SimulatorError } from "./errors";

/** A certificate and its private key (PKCS #8), each as PEM text. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const DAY_MS = 24 * 60 * 60 * 1000;
const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 825;
/** Certificates are valid from a day before their issue, for clients whose clocks are behind. */
const BACKDATED_DAYS = 1;

/**
 * A certificate authority: the console's, which clients trust, or that of users who authenticate by
 * client certificate. EC keys on P-256 throughout. Certificates use the system's clock, as TLS
 * does, regardless of the console's clock.
 */
export class CertificateAuthority {
  readonly #keys: KeyedCertificate;

  private constructor(keys: KeyedCertificate) {
    this.#keys = keys;
  }

  static async create(commonName: string): Promise<CertificateAuthority> {
    const x509 = await loadX509();
    const keys = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: nameOf(x509, commonName),
      keys,
      signingAlgorithm: ALGORITHM,
      ...validFor(AUTHORITY_DAYS),
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
          true,
        ),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return new CertificateAuthority({
      certificate: certificate.toString("pem"),
      key: await exportKey(keys.privateKey),
    });
  }

  /**
   * Loads an authority that `create` made, in the plain form of PEM, the one that all readers accept.
   * Throws if certificate and key do not match, or the key cannot sign.
   */
  static async load(keys: KeyedCertificate): Promise<CertificateAuthority> {
    const certificate = new X509Certificate(keys.certificate);
    const key = createPrivateKey(keys.key);
    if (!certificate.checkPrivateKey(key)) {
      throw new Error("the certificate and the private key do not belong together");
    }
    // Node compares the public part only; this also checks that the secret fits it.
    await importKey(keys.key);
    return new CertificateAuthority({
      certificate: certificate.toString().trimEnd(),
      key: key.export({ type: "pkcs8", format: "pem" }).toString(),
    });
  }

  /** The certificate that clients have to trust, as PEM. */
  get certificate(): string {
    return this.#keys.certificate;
  }

  /** The certificate with its private key, for storage only. */
  get keyed(): KeyedCertificate {
    return this.#keys;
  }

  /**
   * Issues a server certificate for the loopback names and addresses of this machine.
   *
   * @param addresses Further IP addresses.
   */
  async issueServerCertificate(addresses: readonly string[] = []): Promise<KeyedCertificate> {
    const x509 = await loadX509();
    return this.#issue("localhost", [
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: "dns", value: "localhost" },
        { type: "ip", value: "127.0.0.1" },
        { type: "ip", value: "::1" },
        ...addresses.map((value) => ({ type: "ip", value }) as const),
      ]),
    ]);
  }

  /** Issues a client certificate whose subject's CN is the name of a user of the console. */
  async issueClientCertificate(commonName: string): Promise<KeyedCertificate> {
    const x509 = await loadX509();
    return this.#issue(commonName, [
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
    ]);
  }

  async #issue(
    commonName: string,
    extensions: readonly X509.Extension[],
  ): Promise<KeyedCertificate> {
    const x509 = await loadX509();
    const issuer = new x509.X509Certificate(this.#keys.certificate);
    const keys = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject: nameOf(x509, commonName),
      issuer: issuer.subjectName,
      publicKey: keys.publicKey,
      signingKey: await importKey(this.#keys.key),
      signingAlgorithm: ALGORITHM,
      ...validFor(LEAF_DAYS),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        await x509.AuthorityKeyIdentifierExtension.create(issuer),
        ...extensions,
      ],
    });
    return { certificate: certificate.toString("pem"), key: await exportKey(keys.privateKey) };
  }
}

/**
 * Splits a PEM text into a certificate (or a chain, the server's first) and its private key, as
 * users upload them (section 5, rule 2). Throws a `SimulatorError` if they cannot be used.
 */
export function readKeyedCertificate(pem: string): KeyedCertificate {
  const blocks = pem.match(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g) ?? [];
  const certificate = blocks.filter((block) => block.includes("BEGIN CERTIFICATE")).join("\n");
  const key = blocks.find((block) => block.includes("PRIVATE KEY-----"));
  if (certificate === "" || key === undefined) {
    throw new SimulatorError(
      "bad-certificate",
      `The server certificate must be one PEM file with the certificate and its private key; there is no ${certificate === "" ? "certificate" : "private key"} in it.`,
    );
  }
  try {
    createSecureContext({ cert: certificate, key });
  } catch (cause) {
    throw new SimulatorError(
      "bad-certificate",
      `The server certificate cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  return { certificate, key };
}

/** Loads the library on demand: it takes longer than the rest of the start. */
async function loadX509(): Promise<typeof X509> {
  await import("reflect-metadata");
  return import("@peculiar/x509");
}

/** Encodes the value, because the library reads a backslash in plain text as an escape. */
function nameOf(x509: typeof X509, commonName: string): X509.Name {
  return new x509.Name([{ CN: [{ utf8String: commonName }] }]);
}

function generateKeys() {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", key));
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" })
    .export({ format: "pem", type: "pkcs8" })
    .toString();
}

function importKey(pem: string) {
  const der = createPrivateKey(pem).export({ format: "der", type: "pkcs8" });
  return webcrypto.subtle.importKey("pkcs8", der, ALGORITHM, false, ["sign"]);
}

function validFor(days: number): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return {
    notBefore: new Date(now - BACKDATED_DAYS * DAY_MS),
    notAfter: new Date(now + days * DAY_MS),
  };
}
