import { z } from "zod";
import { DEFENDER_ARTIFACTS, type DefenderArtifactKind } from "../../api/areas/defender-artifacts";
import { endpointFor } from "../../api/endpoints";
import type { Release } from "../../api/release";
import { queryOf } from "../../api/http/request-target";
import { pathText, textsIn } from "../collections/secret-paths";
import { likeSecrets } from "../generic/secret-members";
import { learnRelease, type Console } from "../console/connection";
import type { ApplyContext, Outcome } from "../../core/definitions/resource-definition";
import type { PrivateState } from "../../core/private-state";
import { error, hasErrors, warning, type Diagnostic } from "../../core/diagnostics";
import { isRecord, memberOf } from "../../core/member-of";
import { consoleResource } from "../listing";
import { computed, number, optional, required, string } from "../../core/schema/attribute";
import type { PlannedOf, StateOf } from "../../core/schema/types";
import { UNKNOWN, type ObjectValue } from "../../core/values";
import { parseJsonObject, sameJsonObject } from "./extra-json";
import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { makeFolder } from "../../core/io/make-folder";
import { openChunks } from "../../core/io/read-file";
import { stageFile, type SavedFile } from "../../api/save-file";
import { fileProblem } from "../../core/io/file-problem";
import { world } from "../../core/io/world";

const KINDS = [
  "linux_script",
  "windows_script",
  "helm_chart",
  "daemonset",
] as const satisfies readonly DefenderArtifactKind[];

const defenderArtifactAttributes = {
  id: computed(string(), "The `filename`.", {
    plan: ({ config: { filename = null } }) => filename,
  }),
  kind: required(string(z.enum(KINDS)), "Format of the installer.", {
    requiresReplace: true,
  }),
  product: optional(
    string(z.string().min(1)),
    "Product name in the file name of the console's Helm chart.",
    { default: "svc" },
  ),
  request_json: optional(
    string(),
    "Parameters of the installer as a JSON object, compared as JSON. Known members: `consoleAddr`, `namespace`, `orchestration`, `privileged`, `serviceAccounts`. The text is stored in the state, so secrets are refused: `request_secrets` has them.",
    { equivalent: sameJsonObject },
  ),
  request_secrets: optional(
    string(),
    "Secret parameters as a JSON object, such as `proxy.password`, merged into `request_json`. They are sent to the console and never stored. A change of them alone downloads nothing: delete the file to download it again. Not in release 20.04, which takes parameters in the query.",
    { writeOnly: true },
  ),
  filename: required(
    string(z.string().min(1)),
    "Path of the file, which is written with mode 0600 because it may embed secrets. Relative paths start at the folder of the stack, cdktf.out/stacks/NAME. Missing folders are created.",
    { requiresReplace: true },
  ),
  sha256: computed(string(), "SHA-256 of the file, in hexadecimal."),
  size: computed(number(), "Size of the file, in bytes."),
};

type State = StateOf<typeof defenderArtifactAttributes>;
type Planned = PlannedOf<typeof defenderArtifactAttributes>;

/**
 * A file that installs a defender (specification, section 4.3). Plans read the file and do not
 * download; a file that was deleted or changed is written again. Private state has the digest of the
 * written file, state that of the file found.
 */
export const defenderArtifact = consoleResource({
  type: "cwp_defender_artifact",
  category: "Defenders",
  construct: "DefenderArtifact",
  sample: {
    kind: "helm_chart",
    request_json: '{"namespace":"apps"}',
    filename: "chart.tar.gz",
  },
  description:
    "A script, chart or manifest that installs a defender, downloaded from the console to a file (specification, section 4.3). A file that was deleted or changed is written again; a destroy deletes it, unless it was changed.",
  version: 0,
  attributes: defenderArtifactAttributes,
  endpoints: Object.values(DEFENDER_ARTIFACTS),

  learn: learnRelease,
  validate: ({ request_json: text, request_secrets: secrets }, console) => [
    ...(typeof text === "string" ? requestFindings(text, console?.client.release) : []),
    ...(typeof secrets === "string" ? secretsErrors(secrets, console?.client.release) : []),
  ],

  async modifyPlan({ prior, planned, private: privateState, connection }) {
    const { filename } = planned;
    if (prior === null) {
      const isKnown = typeof filename === "string" && connection !== undefined;
      const found = isKnown ? await lookAt(filename, connection.directory) : undefined;
      return { planned, diagnostics: found && "diagnostic" in found ? [found.diagnostic] : [] };
    }
    if (prior.sha256 === writtenDigest(prior, privateState)) return { planned };
    return { planned: { ...planned, sha256: UNKNOWN, size: UNKNOWN } };
  },

  planDestroy: (prior, privateState) =>
    prior.sha256 === writtenDigest(prior, privateState) ? [] : [keptFile(prior.filename)],

  async read(state, privateState, { connection: { directory } }) {
    const found = await lookAt(state.filename, directory);
    if (found.kind === "unreadable") {
      return { state, private: privateState, diagnostics: [found.diagnostic] };
    }
    if (found.kind !== "file") return { state: null };
    const { sha256, size } = found;
    const written = writtenDigest(state, privateState);
    return { state: { ...state, sha256, size }, private: { written } };
  },

  create: (planned, config, context) =>
    download({ planned, secrets: config.request_secrets, prior: null, private: {} }, context),
  update: (prior, planned, config, privateState, context) =>
    download({ planned, secrets: config.request_secrets, prior, private: privateState }, context),

  async delete(state, privateState, { connection: { directory }, beforeWrite }) {
    await beforeWrite();
    const written = writtenDigest(state, privateState);
    const problem = await removeFile(state.filename, written, directory);
    if (!problem) return { state: null };
    const failed = hasErrors([problem]);
    return { state: failed ? state : null, private: privateState, diagnostics: [problem] };
  },

  insteadOfImport:
    "An apply downloads the file, and adopts an existing file with the same content.",
});

interface Downloading {
  readonly planned: Planned;
  /** `request_secrets`, which no plan has. */
  readonly secrets: string | null;
  readonly prior: State | null;
  readonly private: PrivateState;
}

async function download(
  { planned, secrets: secretText, prior, private: privateState }: Downloading,
  {
    connection: { client, directory },
    signal,
    beforeWrite,
    checkpoint,
  }: ApplyContext<Console, State>,
): Promise<Outcome<State>> {
  const { filename, product, request_json: text } = planned;
  const kind = KINDS.find((known) => known === planned.kind);
  const plain = parseJsonObject(text ?? "{}");
  const secrets = parseJsonObject(secretText ?? "{}");
  if (!kind || !plain || !secrets) throw new Error("the artifact was not validated");
  client.mask(textsIn(secrets));
  const request = merged(plain, secrets);
  const reached = ({ sha256, size }: { sha256: string; size: number }) => ({
    state: { ...planned, id: filename, sha256, size },
    private: { written: sha256 },
  });
  await beforeWrite();
  const placed = await placeFile(
    client.defenders.download(kind, { product, request }, signal),
    filename,
    {
      directory,
      replacing: prior?.sha256 ?? undefined,
      // Recorded before the file exists, so that a file is known after a kill.
      before: (saved) => checkpoint(reached(saved)),
    },
  );
  if ("saved" in placed) return reached(placed.saved);
  return { state: prior, private: privateState, diagnostics: [placed.diagnostic] };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Adds members, also inside of objects that both have. */
function merged(request: JsonObject, more: JsonObject): JsonObject {
  const members = Object.entries(more).map(([name, value]) => {
    const own = memberOf(request, name);
    return [name, isRecord(own) && isRecord(value) ? merged(own, value) : value] as const;
  });
  return { ...request, ...Object.fromEntries(members) };
}

function secretsErrors(text: string, release: Release | undefined): readonly Diagnostic[] {
  const refused = (detail: string) => [
    error("Invalid attribute value", detail, ["request_secrets"]),
  ];
  if (!parseJsonObject(text)) return refused("The text is not a JSON object.");
  return release !== undefined && takesQuery(release)
    ? refused(
        `Release ${release} serves defender artifacts by GET (specification, section 9.1). Secrets in its query would be in logs of servers and proxies.`,
      )
    : [];
}

function takesQuery(release: Release): boolean {
  return endpointFor("downloadLinuxScript", release)?.method === "GET";
}

/** Returns the digest of the file as it was last written. */
function writtenDigest({ sha256 = null }: ObjectValue, { written }: PrivateState): string | null {
  if (typeof written === "string") return written;
  return typeof sha256 === "string" ? sha256 : null;
}

function requestFindings(text: string, release: Release | undefined): readonly Diagnostic[] {
  const path = ["request_json"];
  const request = parseJsonObject(text);
  if (!request) return [error("Invalid attribute value", "The text is not a JSON object.", path)];
  const secrets = likeSecrets(request).map(pathText);
  if (secrets.length > 0) {
    const detail = `${secrets.join(", ")} looks like a secret: here it would be stored in the state as plain text. Put it into request_secrets.`;
    return [error("Secret in an attribute that is stored", detail, path)];
  }
  if (release === undefined || !takesQuery(release)) return [];
  const sent = queryOf(request);
  const left = Object.keys(request).filter((name) => !Object.hasOwn(sent, name));
  if (left.length === 0) return [];
  return [
    warning(
      "Members that cannot be sent",
      `Release ${release} serves defender artifacts by GET (specification, section 9.1), whose query takes strings, numbers and booleans only. These members are not sent: ${left.join(", ")}.`,
      path,
    ),
  ];
}

/*
 * A file that a resource writes and owns. Relative names start at the folder of the stack, as those
 * of Terraform's local_file do. Failures of the file system are diagnostics.
 */

/** The object at a path; `other` is one that a file cannot replace, such as a folder. */
type FoundFile =
  | { readonly kind: "nothing" }
  | ({ readonly kind: "file" } & SavedFile)
  | { readonly kind: "other" | "unreadable"; readonly diagnostic: Diagnostic };

/** Reads the size and the digest of a file. */
async function lookAt(filename: string, directory: string): Promise<FoundFile> {
  const path = resolve(directory, filename);
  try {
    const found = await world.files.stat(path);
    if (found.isFile()) return { kind: "file", ...(await digestOf(path)) };
    const what = found.isDirectory() ? "is a directory" : "not a regular file";
    return { kind: "other", diagnostic: fileError("cannot be used", filename, what) };
  } catch (failure) {
    const problem = fileProblem(failure);
    if (!problem) throw failure;
    if (problem.code === "ENOENT") return { kind: "nothing" };
    const kind = problem.code === "ENOTDIR" ? "other" : "unreadable";
    return { kind, diagnostic: fileError("cannot be read", filename, problem.text) };
  }
}

interface Placing {
  /** The folder that relative names start at. */
  readonly directory: string;
  /** The digest of the file to replace, as it was when the plan was made. */
  readonly replacing: string | undefined;
  /** Called before the file is put in place. */
  readonly before: (saved: SavedFile) => Promise<void>;
}

/**
 * Writes the bytes with mode 0600. Replaces the expected file or one with the same bytes; any other
 * file is kept and reported as an error. Creates missing folders. Throws the errors of `chunks` and
 * `before`.
 */
async function placeFile(
  chunks: AsyncIterable<Uint8Array>,
  filename: string,
  { directory, replacing, before }: Placing,
): Promise<{ readonly saved: SavedFile } | { readonly diagnostic: Diagnostic }> {
  const path = resolve(directory, filename);
  try {
    makeFolder(dirname(path));
    const staged = await stageFile(chunks, path);
    try {
      const found = await lookAt(filename, directory);
      if ("diagnostic" in found) return found;
      if (found.kind === "file" && ![replacing, staged.sha256].includes(found.sha256)) {
        return { diagnostic: inTheWay(filename, replacing) };
      }
      const saved = { sha256: staged.sha256, size: staged.size };
      await before(saved);
      await staged.commit();
      return { saved };
    } finally {
      await staged.discard();
    }
  } catch (failure) {
    const problem = fileProblem(failure);
    if (!problem) throw failure;
    return { diagnostic: fileError("cannot be written", filename, problem.text) };
  }
}

/** Removes the file if it has this digest; keeps any other file, with a warning. */
async function removeFile(
  filename: string,
  sha256: string | null,
  directory: string,
): Promise<Diagnostic | undefined> {
  const found = await lookAt(filename, directory);
  if (found.kind === "unreadable") return found.diagnostic;
  if (found.kind !== "file") return undefined;
  if (found.sha256 !== sha256) return keptFile(filename);
  try {
    await world.files.rm(resolve(directory, filename), { force: true });
    return undefined;
  } catch (failure) {
    const problem = fileProblem(failure);
    if (!problem) throw failure;
    return fileError("cannot be removed", filename, problem.text);
  }
}

function keptFile(filename: string): Diagnostic {
  return warning(
    "File is kept",
    `${filename} was changed since it was written. Terraform forgets the file, and does not delete it.`,
    ["filename"],
  );
}

async function digestOf(path: string): Promise<SavedFile> {
  const hash = createHash("sha256");
  const bytes = openChunks(path);
  const chunks: AsyncIterable<Buffer> = bytes;
  for await (const chunk of chunks) hash.update(chunk);
  return { sha256: hash.digest("hex"), size: bytes.bytesRead };
}

function fileError(what: string, filename: string, problem: string): Diagnostic {
  return error(`File ${what}`, `${filename}: ${problem}.`, ["filename"]);
}

function inTheWay(filename: string, replacing: string | undefined): Diagnostic {
  if (replacing !== undefined) {
    return error(
      "File changed since it was planned",
      `${filename} differs from the file that the plan was made for, and was not overwritten. Plan again.`,
      ["filename"],
    );
  }
  return error(
    "File already exists",
    `${filename} was not written by this resource, and its content differs from the console's. It was not overwritten. Move the file, or choose another filename.`,
    ["filename"],
  );
}
