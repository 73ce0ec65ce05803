import { ConsoleError } from "../../api/errors";
import { hasChange } from "../../api/release";
import { onceForEach } from "../../core/alike";
import type { ModifyPlanRequest } from "../../core/definitions/resource-definition";
import { finding, type Diagnostic } from "../../core/diagnostics";
import { memberOf } from "../../core/member-of";
import { isObjectValue, valuesEqual } from "../../core/values";
import { entriesOf } from "../collections/contents";
import type { Console } from "../console/connection";
import { policyLabel } from "./policy-lint";

/**
 * Warns of check IDs that the console does not have. Only statistics of the next release list all
 * checks (section 9.3.1), so that earlier consoles, which take any number, are not asked. Neither
 * are consoles whose policies stay as they are.
 */
export async function unknownChecks({
  connection,
  prior,
  planned,
  signal,
}: ModifyPlanRequest<Console>): Promise<readonly Diagnostic[]> {
  const release = connection?.client.release;
  if (!connection || !release || !hasChange(release, "ratedStatistics")) return [];
  const before = prior && memberOf(prior, "policies");
  if (before && valuesEqual(before, memberOf(planned, "policies") ?? null)) return [];
  const listed = await listedChecks(connection)(signal);
  if (listed.size === 0) return [];
  return entriesOf(planned, "policies").flatMap(({ name, checks }, index) => {
    const ids = isObjectValue(checks) ? Object.keys(checks) : [];
    const unknown = ids.filter((id) => !listed.has(id));
    const detail = describe(policyLabel(name, index), unknown);
    const path = ["policies", index, "checks"];
    return unknown.length === 0 ? [] : finding("Unknown compliance check", detail, path);
  });
}

function describe(policy: string, ids: readonly string[]): string {
  const [are, them] = ids.length === 1 ? ["check", "it"] : ["checks", "them"];
  return `The console does not list ${are} ${ids.join(", ")} of ${policy}, so that no result can come of ${them}. See "checks" of the data source cwp_compliance_stats for the checks that it has.`;
}

/** Asks each connection once. A console that does not answer has no list: the plan must not fail for a warning. */
const listedChecks = onceForEach(({ client }: Console) => {
  let asked: Promise<ReadonlySet<string>> | undefined;
  return (signal: AbortSignal) => (asked ??= listOf(client, signal));
});

async function listOf(
  client: Console["client"],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  try {
    const stats = await client.complianceStats.get(signal);
    return new Set(stats.kind === "announced" ? stats.checks.map(({ id }) => id) : []);
  } catch (failure) {
    if (failure instanceof ConsoleError) return new Set();
    throw failure;
  }
}
