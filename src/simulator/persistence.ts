import { fileFault } from "../core/io/file-fault";
import { dirname, join } from "node:path";
import { makeFolder } from "../core/io/make-folder";
import { readTextFile } from "../core/io/read-file";
import { z } from "zod";
import { COLLECTION_KINDS } from "../api/collections";
import { parseJson, stringifyJson } from "../core/json/lossless-json";
import { replaceFile } from "../core/io/durable-file";
import { CertificateAuthority } from "./certificates";
import { isDocument, type Document } from "./documents";
import { SimulatorError } from "./errors";
import { PasswordHash } from "./passwords";
import { everyCollection, type ConsoleData } from "./console-state";

/**
 * Stores one console's data in a file (0600): passwords as scrypt hashes, a fingerprint of the
 * license, and no secret of a credential. The file contains the key that signs tokens, so it must
 * not be shared.
 */
export class SimulatorFile {
  #latest: ConsoleData | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(readonly path: string) {}

  /** Returns undefined if there is no file. Throws a `SimulatorError` if it cannot be read. */
  async load(): Promise<ConsoleData | undefined> {
    const text = await readIfThere(this.path);
    return text === undefined ? undefined : decode(text, this.path);
  }

  /** Resolves once this change, or a later one, is durable. Waiting changes share one write. */
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

/** Loads the authority of a directory's consoles, or creates it. */
export async function loadOrCreateAuthority(directory: string): Promise<CertificateAuthority> {
  const certificatePath = join(directory, "ca.pem");
  const keyPath = join(directory, "ca-key.pem");
  const certificate = await readIfThere(certificatePath);
  const key = await readIfThere(keyPath);
  if (certificate !== undefined && key !== undefined) {
    try {
      return await CertificateAuthority.load({ certificate, key });
    } catch (cause) {
      throw unreadable(certificatePath, `it and ${keyPath} do not form an authority`, cause);
    }
  }
  const authority = await CertificateAuthority.create("Simulated console");
  await writeAtomically(keyPath, authority.keyed.key);
  await writeAtomically(certificatePath, authority.certificate, 0o644);
  return authority;
}

/** Replaces a file in a folder that only this user can read. */
export async function writeAtomically(path: string, content: string, mode = 0o600): Promise<void> {
  try {
    makeFolder(dirname(path), 0o700);
    await replaceFile(path, Buffer.from(content), mode);
  } catch (cause) {
    const problem = `The simulator's data cannot be written to ${path}: ${fileFault(cause, path)}`;
    throw new SimulatorError("bad-data", problem, { cause });
  }
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
  documents: z.record(z.string(), z.unknown()).default({}),
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
    `The simulator's data in ${path} cannot be read (${why}). Repair the file, or remove it to start with a fresh console.`,
    { cause },
  );
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readTextFile(path);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw new SimulatorError(
      "bad-data",
      `The simulator's data cannot be read: ${path}: ${fileFault(cause, path)}`,
      { cause },
    );
  }
}

/** Returns the code, as in `ENOENT`. Errors have another realm under a test runner. */
function codeOf(cause: unknown): unknown {
  return typeof cause === "object" && cause !== null && "code" in cause ? cause.code : cause;
}
