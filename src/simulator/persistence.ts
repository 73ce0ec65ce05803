import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { COLLECTION_KINDS } from "../api/collections";
import { parseJson, stringifyJson } from "../api/json";
import { CertificateAuthority } from "./certificates";
import { isDocument, type Document } from "./documents";
import { SimulatorError } from "./errors";
import { PasswordHash } from "./passwords";
import { everyCollection, type ConsoleData } from "./state";

/**
 * One console's data in a file (0600): passwords as scrypt hashes, of the license a fingerprint,
 * no secret of a credential. It holds the key that signs tokens, so it is not one to pass on.
 */
export class StateFile {
  #latest: ConsoleData | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(readonly path: string) {}

  /** Undefined when there is no file yet. Throws a `SimulatorError` when it cannot be understood. */
  async load(): Promise<ConsoleData | undefined> {
    const text = await readIfThere(this.path);
    return text === undefined ? undefined : decode(text, this.path);
  }

  /** Resolves once this change, or a later one, is durable. Changes that wait share one write. */
  save(data: ConsoleData): Promise<void> {
    this.#latest = data;
    if (this.#next === undefined) {
      this.#next = this.#running.then(async () => {
        this.#next = undefined;
        if (this.#latest) await writeAtomically(this.path, encode(this.#latest));
      });
      this.#running = this.#next.catch(() => undefined);
    }
    return this.#next;
  }
}

/** The authority of the consoles in a directory: the one that is there, or one made now. */
export async function loadOrCreateAuthority(directory: string): Promise<CertificateAuthority> {
  const certificatePath = join(directory, "ca.pem");
  const keyPath = join(directory, "ca-key.pem");
  const certificate = await readIfThere(certificatePath);
  const key = await readIfThere(keyPath);
  if (certificate !== undefined && key !== undefined) {
    try {
      return CertificateAuthority.load({ certificate, key });
    } catch (cause) {
      throw unreadable(certificatePath, `it and ${keyPath} are no authority`, cause);
    }
  }
  const authority = await CertificateAuthority.create("Simulated console");
  await writeAtomically(keyPath, authority.keyed.key);
  await writeAtomically(certificatePath, authority.certificate, 0o644);
  return authority;
}

/** By temporary file, fsync and rename: a reader finds the old content or the new one, whole. */
export async function writeAtomically(path: string, content: string, mode = 0o600): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.tmp`;
  const file = await open(temporary, "w", mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

const FORMAT = 3;
const document = z.custom<Document>(isDocument, "expected an object");
const documents = z.array(document);
const time = z.iso.datetime().transform((text) => new Date(text));
const base64 = z.base64().transform((text) => Buffer.from(text, "base64"));

const storedSchema = z.object({
  format: z.literal(FORMAT),
  users: z.array(z.object({ username: z.string(), password: z.string() })),
  license: z.object({ fingerprint: z.string() }).nullable(),
  collections: z.partialRecord(z.enum(COLLECTION_KINDS), documents),
  firewallRules: z.object({ host: documents, entities: documents, container: documents }),
  containerScans: z.array(time),
  installedAt: time,
  keys: z.object({ token: base64, sealing: base64 }),
});

function encode({ users, keys, containerScans, installedAt, ...rest }: ConsoleData): string {
  return stringifyJson({
    format: FORMAT,
    users: [...users].map(([username, { stored }]) => ({ username, password: stored })),
    ...rest,
    containerScans: containerScans.map((start) => start.toISOString()),
    installedAt: installedAt.toISOString(),
    keys: { token: keys.token.toString("base64"), sealing: keys.sealing.toString("base64") },
  });
}

function decode(text: string, path: string): ConsoleData {
  let found: unknown;
  try {
    found = parseJson(text);
  } catch (cause) {
    throw unreadable(path, "it is not JSON", cause);
  }
  const result = storedSchema.safeParse(found);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw unreadable(path, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`, result.error);
  }
  const { users, collections, ...rest } = result.data;
  return {
    ...rest,
    collections: everyCollection((kind) => collections[kind] ?? []),
    users: new Map(
      users.map(({ username, password }) => [username, PasswordHash.fromStored(password)]),
    ),
  };
}

function unreadable(path: string, why: string, cause: unknown): SimulatorError {
  return new SimulatorError(
    "bad-data",
    `The simulator's data in ${path} cannot be read (${why}). Repair the file, or remove it to start afresh.`,
    { cause },
  );
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw unreadable(path, String(codeOf(cause)), cause);
  }
}

/** `ENOENT` and the like. By its shape: under a test runner, errors of Node are of another realm. */
function codeOf(cause: unknown): unknown {
  return typeof cause === "object" && cause !== null && "code" in cause ? cause.code : cause;
}
