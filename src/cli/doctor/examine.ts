import { pacesOfProcess } from "../../api/http/pace";
import { LICENSE } from "../../api/areas/license";
import { parseTotalCount } from "../../api/areas/whole-list";
import { ApiError } from "../../api/errors";
import type { ConsoleResponse } from "../../api/http/response";
import type { Release } from "../../api/release";
import { RefusedError } from "../../core/definitions/failure";
import { world } from "../../core/io/world";
import { isRecord, memberOf } from "../../core/member-of";
import type { Console } from "../../provider/console/connection";
import { Answering, isUnavailable } from "./answering";
import { certificateOf } from "./certificate";
import type { DoctorFinding } from "./finding";
import { PAGED, PAGE_ROWS, type RequestPlace, placesOfRelease } from "./requests";

/** A larger difference between two clocks makes tokens and certificates invalid. */
const MOST_SKEW_MS = 60_000;

const DAY_MS = 86_400_000;
const SOON_DAYS = 30;

/**
 * Examines a console by reads without effect. Rejects with a ConsoleError if it cannot be reached, or
 * refuses the credentials.
 *
 * @param used - the kinds of the catalogue that stacks manage
 */
export async function examine(
  console: Console,
  release: Release,
  signal: AbortSignal,
  used: ReadonlySet<unknown>,
): Promise<readonly DoctorFinding[]> {
  const { client } = console;
  const answering = new Answering();
  const ping = await answered(answering, () => client.request("ping", { signal, probe: "once" }));
  const findings: DoctorFinding[] = [
    reachable(ping),
    await certificate(client.baseUrl),
    clock(ping),
    license(await answered(answering, () => client.request(LICENSE, { signal }))),
    await likelyRelease(console, release, signal),
  ];
  for (const place of placesOfRelease(release)) {
    findings.push(...(await examinePlace(place, { console, signal, used, answering })));
  }
  const isKnown = findings.some(({ check, result }) => check === "shape" && result === "holds");
  return [
    ...findings,
    collections(findings),
    isKnown ? line("sign-up", "holds", "the credentials are accepted") : nothingAnswered(client),
    pages(
      await answered(answering, () =>
        client.request(PAGED, { query: { limit: PAGE_ROWS }, signal }),
      ),
    ),
    project(console, isKnown),
    limits(),
  ];
}

type Details = Partial<Pick<DoctorFinding, "subject" | "write" | "isPrivate">>;

function line(
  check: string,
  result: DoctorFinding["result"],
  found: string,
  { subject = "", ...details }: Details = {},
): DoctorFinding {
  return { check, subject, result, found, ...details };
}

/** Returns the answer; undefined for a status that shows nothing about the console. */
async function answered(
  answering: Answering,
  request: () => Promise<ConsoleResponse>,
): Promise<ConsoleResponse | undefined> {
  try {
    return await request();
  } catch (failure) {
    if (failure instanceof ApiError && !answering.isFatal(failure)) return undefined;
    throw failure;
  }
}

function reachable(ping: ConsoleResponse | undefined): DoctorFinding {
  if (!ping) return line("reachable", "unknown", "no answer to the ping");
  return line("reachable", "holds", "the console serves");
}

async function certificate(baseUrl: string): Promise<DoctorFinding> {
  const read = await certificateOf(baseUrl);
  if (!read) return line("certificate", "unknown", "it was not read");
  const days = Math.floor((read.validUntil.getTime() - world.clock.now().getTime()) / DAY_MS);
  const found = `${read.names}; valid for ${days} days`;
  return line("certificate", days < SOON_DAYS ? "differs" : "holds", found, { isPrivate: true });
}

function clock(ping: ConsoleResponse | undefined): DoctorFinding {
  const at = Date.parse(ping?.header("date") ?? "");
  if (Number.isNaN(at)) return line("clock", "unknown", "the console sends no date");
  const skewMs = at - world.clock.now().getTime();
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const found = `${seconds} s ${skewMs < 0 ? "behind" : "ahead of"} this machine`;
  return line("clock", Math.abs(skewMs) > MOST_SKEW_MS ? "differs" : "holds", found);
}

function license(answer: ConsoleResponse | undefined): DoctorFinding {
  const json = answer?.json();
  const expiry = isRecord(json) ? memberOf(json, "expiration_date") : undefined;
  const until = typeof expiry === "string" ? Date.parse(expiry) : Number.NaN;
  if (Number.isNaN(until)) return line("license", "unknown", "its expiry cannot be read");
  const days = Math.floor((until - world.clock.now().getTime()) / DAY_MS);
  if (days >= SOON_DAYS) return line("license", "holds", `valid for ${days} days`);
  if (days >= 0) return line("license", "differs", `expires in ${days} days`);
  const write = "without a license the console refuses all requests";
  return line("license", "differs", `expired ${-days} days ago`, { write });
}

async function likelyRelease(
  { client }: Console,
  release: Release,
  signal: AbortSignal,
): Promise<DoctorFinding> {
  const likely = (await client.findRelease(signal)).release;
  if (likely === undefined) return line("release", "unknown", "no release answers like this");
  const found = `like ${likely}, examined as ${release}`;
  // Both answer alike.
  const isSame = likely === release || (likely === "20.12" && release === "20.09");
  if (isSame) return line("release", "holds", found);
  const write = `requests of ${release} are sent to another release: set release, or CONSOLE_RELEASE`;
  return line("release", "differs", found, { write });
}

interface Examining {
  readonly console: Console;
  readonly signal: AbortSignal;
  /** The kinds of the catalogue that stacks manage. */
  readonly used: ReadonlySet<unknown>;
  readonly answering: Answering;
}

/** Examines the collection, or the kind, of one place. */
async function examinePlace(
  { subject, endpoint, managed, kind }: RequestPlace,
  { console: connection, signal, used, answering }: Examining,
): Promise<readonly DoctorFinding[]> {
  try {
    if (!managed) {
      const json = (await connection.client.request(endpoint, { signal })).json();
      answering.answered();
      const member = kind && "member" in kind ? kind.member : undefined;
      const list = member !== undefined && isRecord(json) ? memberOf(json, member) : json;
      if (list !== null && !Array.isArray(list)) return [otherShape(subject)];
      return [
        line("shape", "holds", `${list?.length ?? 0} objects on the first page`, { subject }),
      ];
    }
    const { resource, importId } = managed;
    const examined = await resource.examine?.(importId, { connection, signal });
    if (!examined) return [];
    answering.answered();
    const { envelope, entries, unmanaged, changed } = examined;
    // It is the same for one that nobody has written yet.
    if (kind?.form === "setting" && entries === 0) {
      return [line("shape", "unknown", "404: it is not there", { subject })];
    }
    const around = envelope === null ? "a bare array" : `"${envelope}"`;
    const form = kind?.form === "setting" ? "a document" : `${entries} entries in ${around}`;
    const write = `a write would change ${changed.join(", ")}, even if nothing has changed`;
    return [
      line("shape", "holds", form, { subject }),
      ...(unmanaged.length === 0
        ? []
        : [
            line(
              "members",
              "differs",
              `not known to this version, and kept: ${unmanaged.join(", ")}`,
              {
                subject,
              },
            ),
          ]),
      changed.length === 0
        ? line("round trip", "holds", "equal", { subject })
        : line("round trip", "differs", `not equal: ${changed.join(", ")}`, { subject, write }),
    ];
  } catch (failure) {
    if (!(failure instanceof RefusedError) && answering.isFatal(failure)) throw failure;
    return [absent(subject, failure, kind !== undefined && !used.has(subject))];
  }
}

/**
 * Describes a failed read without the text of the console, which may have names.
 *
 * @param isUnused - no stack manages what is there
 */
function absent(subject: string, failure: unknown, isUnused: boolean): DoctorFinding {
  if (!(failure instanceof ApiError)) return otherShape(subject);
  const { status } = failure;
  if (isUnavailable(failure))
    return line("shape", "unknown", `${status}: the console failed to answer`, { subject });
  if (status === 403)
    return line("shape", "unknown", "403: the user lacks the permission", { subject });
  if (status === 402) return line("shape", "unknown", "402: there is no license", { subject });
  // Nobody needs all kinds of the catalogue: consoles without some of them are the rule.
  if (isUnused && status === 404)
    return line("shape", "unknown", "404: it is not there", { subject });
  const write = "a stack that manages it fails";
  return line("shape", "differs", `${status}: it is not there`, { subject, write });
}

/** The credentials of a console whose every path is missing, as where its address lacks a prefix. */
function nothingAnswered({ address }: Console["client"]): DoctorFinding {
  const found = "no request was answered";
  if (new URL(address).searchParams.has("project")) return line("sign-up", "unknown", found);
  const write = "everything fails: CONSOLE_URL may lack the path in front of /api/v1";
  return line("sign-up", "differs", found, { write });
}

function otherShape(subject: string): DoctorFinding {
  const write = "a stack that manages it fails before it writes";
  return line("shape", "differs", "another shape, or not whole", { subject, write });
}

function pages(answer: ConsoleResponse | undefined): DoctorFinding {
  const subject = "containers";
  const json = answer?.json();
  if (!answer || !Array.isArray(json)) return line("pages", "unknown", "no list", { subject });
  const total = parseTotalCount(answer.header("total-count"));
  const ofTotal = total === undefined ? "no Total-Count" : `Total-Count ${total}`;
  const isCut = json.length <= PAGE_ROWS;
  const found = `${json.length} rows for limit=${PAGE_ROWS}, ${ofTotal}`;
  return line("pages", isCut ? "holds" : "differs", found, { subject });
}

/** Policies can name collections where the console has them. */
function collections(findings: readonly DoctorFinding[]): DoctorFinding {
  const { result, found } = findings.find(
    ({ check, subject }) => check === "shape" && subject === "collection",
  ) ?? { result: "unknown", found: "not in this release" };
  const advice = result === "holds" ? "policies can name them" : "scope policies by resources";
  return line("collections", result, `${found}: ${advice}`);
}

/** All reads above were of this project; `isKnown` if one of them found something. */
function project({ client }: Console, isKnown: boolean): DoctorFinding {
  const { searchParams } = new URL(client.address);
  const name = searchParams.get("project");
  if (name === null) return line("project", "unknown", "none is set");
  if (isKnown) return line("project", "holds", `"${name}" is answered`, { isPrivate: true });
  const write = "the console may not have the project, and a stack of it fails";
  return line("project", "differs", `nothing of "${name}" is answered`, { isPrivate: true, write });
}

function limits(): DoctorFinding {
  const met = pacesOfProcess().describe();
  const found = met.length === 0 ? "none was met" : `the console ${met.join(", ")}`;
  return line("limits", met.length === 0 ? "holds" : "differs", found);
}
