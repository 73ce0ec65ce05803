import { createHash, X509Certificate } from "node:crypto";
import {
  createSecureContext,
  rootCertificates,
  type SecureContext,
  type SecureContextOptions,
} from "node:tls";
import { readTextNow } from "../../core/io/read-file";
import { ConfigurationError } from "../errors";
import { isCertificate } from "../../core/io/certificate";
import { ResultsByText } from "../../core/alike";
import { EXTRA_CA_VARIABLE } from "../../core/io/extra-authorities";

/** TLS settings of the client. All texts are PEM. */
export interface TlsOptions {
  /** Certificate authorities to trust in addition to Node's. */
  readonly ca?: string | undefined;
  /** The client's certificate, with its chain, and its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Accepts any certificate. Default false. */
  readonly insecureSkipVerify?: boolean | undefined;
}

/**
 * The contexts to connect with. Reading Node's root certificates takes about 20 ms, and a fleet has
 * thousands of consoles. A console with a configured authority usually has a certificate of that
 * authority, so it is tried alone first, and together with the root certificates only if that
 * fails.
 */
export interface SecureContexts {
  readonly first: SecureContext;
  /** The configured authorities and Node's, created on demand; absent if `first` has them all. */
  readonly complete?: () => SecureContext;
}

const MOST_CONTEXTS = 64;
const remembered = new Map<string, SecureContexts>();

/**
 * Creates the contexts, once for the same texts, which the consoles of a fleet mostly share. Throws
 * a ConfigurationError for PEM that cannot be used.
 */
export function secureContexts({ ca, cert, key }: TlsOptions): SecureContexts {
  // Hashed, so that no private key is kept as a map key.
  const texts = JSON.stringify([ca, cert, key, process.env[EXTRA_CA_VARIABLE]]);
  const name = createHash("sha256").update(texts).digest("base64");
  const known = remembered.get(name);
  if (known) return known;
  const contexts = createContexts({ ca, cert, key });
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size >= MOST_CONTEXTS) remembered.delete(oldest);
  remembered.set(name, contexts);
  return contexts;
}

/**
 * Throws a ConfigurationError for PEM that cannot be used. Creates no context for authorities alone:
 * the first context of a process takes about 20 ms, and a validation connects to nothing.
 */
export function checkTls(options: TlsOptions): void {
  if (options.cert !== undefined) secureContexts(options);
  else if (options.ca !== undefined) authorities(options.ca);
}

function createContexts({ ca, cert, key }: TlsOptions): SecureContexts {
  const client = { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
  if (!addsToNode(ca)) return { first: clientContext(client) };
  let complete: SecureContext | undefined;
  return {
    first: clientContext({ ...client, ...(ca !== undefined && { ca: authorities(ca) }) }),
    complete: () => (complete ??= withRoots(ca, client)),
  };
}

/** Reports whether authorities are trusted that Node itself does not know. */
export function addsToNode(ca: string | undefined): boolean {
  return ca !== undefined || process.env[EXTRA_CA_VARIABLE] !== undefined;
}

/** Creates a context that trusts the configured authorities, Node's, and those of NODE_EXTRA_CA_CERTS. */
export function withRoots(
  ca: string | undefined,
  client: SecureContextOptions = {},
): SecureContext {
  const configured = ca === undefined ? [] : authorities(ca);
  return clientContext({
    ...client,
    ca: [...rootCertificates, ...extraAuthorities(), ...configured],
  });
}

/** Leaves out what cannot be read, as Node does: a console of another authority is refused. */
function extraAuthorities(): readonly string[] {
  const file = process.env[EXTRA_CA_VARIABLE] ?? process.env.NODE_EXTRA_CA_CERTS;
  if (file === undefined) return [];
  try {
    return blocksOf(readTextNow(file)).filter(isCertificate);
  } catch {
    return [];
  }
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

const checked = new ResultsByText<string[]>();

/** Node ignores text that is not PEM, so it is checked here, once for all clients that trust it. */
function authorities(pem: string): string[] {
  const known = checked.get(pem);
  if (known) return known;
  const blocks = blocksOf(pem);
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch (cause) {
    throw invalidAuthority("contains a certificate that cannot be read", { cause });
  }
  if (blocks.length === 0) throw invalidAuthority("contains no certificate in PEM");
  checked.set(pem, blocks);
  return blocks;
}

function blocksOf(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
}

function invalidAuthority(what: string, options?: ErrorOptions): ConfigurationError {
  return new ConfigurationError(
    "ca_certificate",
    `The CA given by ca_certificate or CONSOLE_CA_FILE ${what}. Give it the PEM text of the authority that signed the console's certificate.`,
    options,
  );
}
