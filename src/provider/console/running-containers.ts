import type { ConsoleClient } from "../../api/client";
import type { Container } from "../../api/areas/containers";
import { toNumber } from "../../core/json/lossless-json";
import { isRecord } from "../../core/member-of";
import type { WorkloadQuery } from "../../protection/explain";
import type { RunningContainer } from "../../protection/live";

/**
 * Reads the containers of a console (section 4.2), each one once. Throws errors that `diagnose` converts,
 * also if containers that are started or end keep the list from being proved whole.
 */
export async function* runningContainers(
  client: ConsoleClient,
  signal: AbortSignal,
): AsyncGenerator<RunningContainer, void, undefined> {
  const known = new Set<string>();
  const rowOf = (container: Container) => ({
    id: ownText(container._id),
    running: { workload: workloadOf(container), failing: failingChecks(container) },
  });
  for await (const { id, running } of client.containers.rows({}, rowOf, signal)) {
    if (known.has(id)) continue;
    known.add(id);
    yield running;
  }
}

/**
 * The members that policies look at. The specification does not show where a record has them, so this
 * is our reading, which docs/protection.md has for users. Null and an empty text are no value; a
 * member that is not there, or is of another type, is not known.
 */
function workloadOf({ hostname, info }: Container): WorkloadQuery {
  const { image, imageName, namespace, labels, cloudMetadata } = info ?? {};
  const members = {
    image: valueOf(image) ?? valueOf(imageName),
    container: valueOf(info?.name),
    namespace: valueOf(namespace),
    host: valueOf(hostname),
    account_id: isRecord(cloudMetadata) ? valueOf(cloudMetadata.accountID) : undefined,
    labels: labelsOf(labels),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function valueOf(found: unknown): string | null | undefined {
  if (found === null || found === "") return null;
  return typeof found === "string" ? ownText(found) : undefined;
}

function labelsOf(found: unknown): readonly string[] | undefined {
  if (found === null) return [];
  if (!Array.isArray(found)) return undefined;
  const labels = found.flatMap((label: unknown) =>
    typeof label === "string" ? [ownText(label)] : [],
  );
  return labels.length === found.length ? labels : undefined;
}

function failingChecks({ info }: Container): RunningContainer["failing"] {
  const issues = (info?.complianceIssues ?? []).flatMap(({ id, title }) =>
    id === null || id === undefined ? [] : [[String(toNumber(id)), title ?? undefined] as const],
  );
  return new Map(issues);
}

/** Copies a text: one that the parser put together takes 30 times its length in memory. */
function ownText(text: string): string {
  return Buffer.from(text).toString();
}
