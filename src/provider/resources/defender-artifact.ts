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
import { keptFile, lookAt, placeFile, removeFile } from "./owned-file";

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
  update: ({ config, ...request }, context) =>
    download({ ...request, secrets: config.request_secrets }, context),

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
