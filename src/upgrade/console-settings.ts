import { z } from "zod";
import type { ConsoleClient } from "../api/client";
import { endpointFor, type EndpointName } from "../api/endpoints";
import { SCOPE_MEMBERS } from "../api/serverless-scope";
import type { RegistrySpecification, ServerlessScanScope } from "../api/bodies";
import { describeRelease } from "../provider/console/release-changes";
import { comesWith, type Upgrade } from "./change";
import type { ConsolePlace, Finding } from "./finding";

const FIREWALLS: readonly EndpointName[] = [
  "getHostFirewallPolicies",
  "getFirewallEntities",
  "getContainerFirewallPolicies",
];

/** What the upgrade breaks in the settings of a console that runs the older release. Only reads. */
export async function findingsOfConsole(
  client: ConsoleClient,
  upgrade: Upgrade,
  signal: AbortSignal,
): Promise<readonly Finding<ConsolePlace>[]> {
  const findings: Finding<ConsolePlace>[] = [];
  const losesCredentials = comesWith(upgrade, "20.09");
  if (losesCredentials) {
    const { items } = await client.getRegistrySettings(signal);
    findings.push(...registryFindings(items, upgrade));
  }
  if (losesCredentials || comesWith(upgrade, "next")) {
    const { items } = await client.getServerlessScan(signal);
    findings.push(...scopeFindings(items, upgrade));
  }
  if (!losesCredentials) return findings;
  for (const name of FIREWALLS) {
    const count = countOfRules((await client.request(name, { signal })).json());
    if (count > 0) findings.push(firewallFinding(name, count, upgrade));
  }
  return findings;
}

function registryFindings(
  items: readonly RegistrySpecification[],
  upgrade: Upgrade,
): readonly Finding<ConsolePlace>[] {
  return items.flatMap((item, index) => {
    if (!isInline(item.credential)) return [];
    const { registry, repository, tag } = item;
    const name = `${registry ?? ""}/${repository ?? ""}:${tag ?? ""}`;
    return [inlineFinding("getRegistrySettings", `[${index}] ${name}`, upgrade)];
  });
}

function scopeFindings(
  items: readonly ServerlessScanScope[],
  upgrade: Upgrade,
): readonly Finding<ConsolePlace>[] {
  const { from, to } = upgrade;
  const gone = SCOPE_MEMBERS[to].gone.filter(
    (member) => !SCOPE_MEMBERS[from].gone.includes(member),
  );
  return items.flatMap((item, index) => {
    const entry =
      `[${index}] ${[item.provider, item.region, item.pattern].filter((text) => text).join(" ")}`.trimEnd();
    const used = gone.filter((member) => (item[member] ?? "") !== "");
    const findings: Finding<ConsolePlace>[] = [];
    if (comesWith(upgrade, "20.09") && isInline(item.credential)) {
      findings.push(inlineFinding("getServerlessScan", entry, upgrade));
    }
    if (used.length > 0) {
      findings.push({
        severity: "error",
        section: "9.3.3",
        message: `Scopes are set per account in ${describeRelease(to)}: ${used.join(" and ")} of this one ${used.length === 1 ? "goes" : "go"}.`,
        replacement: "One scope for each account, with all of its credential IDs.",
        place: placeOf("getServerlessScan", entry, upgrade),
      });
    }
    return findings;
  });
}

function inlineFinding(name: EndpointName, entry: string, upgrade: Upgrade): Finding<ConsolePlace> {
  return {
    severity: "error",
    section: "9.1.2",
    message: "It has an inline credential, which is refused from release 20.09 on.",
    replacement: "Store the credential on the console, and name its ID as credentialID.",
    place: placeOf(name, entry, upgrade),
  };
}

function firewallFinding(
  name: EndpointName,
  count: number,
  upgrade: Upgrade,
): Finding<ConsolePlace> {
  return {
    severity: "error",
    section: "9.2",
    message: `The upgrade deletes network firewall policies: ${count === 1 ? "1 rule is" : `${count} rules are`} lost.`,
    replacement: "Save what is still needed; release 20.09 does not enforce them.",
    place: placeOf(name, count === 1 ? "1 rule" : `${count} rules`, upgrade),
  };
}

function placeOf(name: EndpointName, entry: string, { from }: Upgrade): ConsolePlace {
  const endpoint = endpointFor(name, from);
  return {
    kind: "console",
    setting: endpoint ? `${endpoint.method} ${endpoint.path}` : name,
    entry,
  };
}

/** Whether anything is said of a credential; from 20.09 on all members are empty or null. */
function isInline(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return false;
  return typeof value === "object" ? Object.values(value).some(isInline) : true;
}

/** The shape is not specified: a list of rules, bare or in an object. */
function countOfRules(body: unknown): number {
  if (Array.isArray(body)) return body.length;
  const lists = Object.values(z.record(z.string(), z.unknown()).safeParse(body).data ?? {});
  return Math.max(0, ...lists.map((list) => (Array.isArray(list) ? list.length : 0)));
}
