import { createHash, X509Certificate } from "node:crypto";
import {
  createSecureContext,
  rootCertificates,
  type SecureContext,
  type SecureContextOptions,
} from "node:tls";
import { ConfigurationError } from "../errors";

/** How the console is verified, and what it is shown. All texts are PEM. */
export interface TlsOptions {
  /** Certificate authorities that are trusted besides Node's own. */
  readonly ca?: string | undefined;
  /** The client's certificate, with its chain, and its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Takes any certificate. Default false. */
  readonly insecureSkipVerify?: boolean | undefined;
}

/**
 * The contexts to connect with, the likelier first. Reading Node's roots takes some 20 ms, and a
 * fleet has thousands of consoles: a console for which an authority is given mostly comes from
 * it, so that one is tried alone, and only what it does not know is tried with the roots as well.
 */
export interface SecureContexts {
  readonly first: SecureContext;
  /** The given authorities and Node's, made when asked for, once; absent where `first` is it. */
  readonly complete?: () => SecureContext;
}

const REMEMBERED = 64;
const remembered = new Map<string, SecureContexts>();

/**
 * The same for the same texts, which the consoles of a fleet mostly share. Throws a
 * ConfigurationError for PEM that cannot be used.
 */
export function secureContexts({ ca, cert, key }: TlsOptions): SecureContexts {
  // Hashed, since a private key need not stay in memory as text.
  const texts = JSON.stringify([ca, cert, key]);
  const name = createHash("sha256").update(texts).digest("base64");
  const known = remembered.get(name);
  if (known) return known;
  const contexts = createContexts({ ca, cert, key });
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size >= REMEMBERED) remembered.delete(oldest);
  remembered.set(name, contexts);
  return contexts;
}

function createContexts({ ca, cert, key }: TlsOptions): SecureContexts {
  const client = { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
  if (ca === undefined) return { first: clientContext(client) };
  let complete: SecureContext | undefined;
  return {
    first: clientContext({ ...client, ca: authorities(ca) }),
    complete: () => (complete ??= withRoots(ca, client)),
  };
}

/** Trusts the given authorities and Node's. */
export function withRoots(ca: string, client: SecureContextOptions = {}): SecureContext {
  return clientContext({ ...client, ca: [...rootCertificates, ...authorities(ca)] });
}

function clientContext(options: SecureContextOptions): SecureContext {
  try {
    return createSecureContext(options);
  } catch (cause) {
    throw new ConfigurationError(
      "client_certificate",
      "The client certificate and its key cannot be used: both must be PEM, without a passphrase, and belong together.",
      { cause },
    );
  }
}

/** Node skips what is no PEM without a word, so it is looked at here. */
function authorities(pem: string): string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch (cause) {
    throw invalidAuthority("holds a certificate that cannot be read", { cause });
  }
  if (blocks.length === 0) throw invalidAuthority("holds no certificate in PEM");
  return blocks;
}

function invalidAuthority(what: string, options?: ErrorOptions): ConfigurationError {
  return new ConfigurationError(
    "ca_certificate",
    `The CA given by ca_certificate or CONSOLE_CA_FILE ${what}.`,
    options,
  );
}
