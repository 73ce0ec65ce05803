import { z } from "zod";
import type { ConsoleClient } from "../api/client";
import { endpointFor, type EndpointName } from "../api/endpoints";
import { describeRelease, SINCE } from "../api/release";
import { scopeMembersOf } from "../api/serverless-scope";
import type { RegistrySpecification, ServerlessScanScope } from "../api/bodies";
import { comesWith, type Upgrade } from "./change";
import type { ConsolePlace, UpgradeFinding } from "./finding";

const FIREWALLS: readonly EndpointName[] = [
  "getHostFirewallPolicies",
  "getFirewallEntities",
  "getContainerFirewallPolicies",
];

/** Finds settings of a console that the upgrade breaks or deletes. Sends only GET requests. */
export async function findingsOfConsole(
  client: ConsoleClient,
  upgrade: Upgrade,
  signal: AbortSignal,
): Promise<readonly UpgradeFinding<ConsolePlace>[]> {
  const findings: UpgradeFinding<ConsolePlace>[] = [];
  const losesCredentials = comesWith(upgrade, SINCE.credentialsById);
  if (losesCredentials) {
    const { items } = await client.read("registry", signal);
    findings.push(...registryFindings(items, upgrade));
  }
  if (losesCredentials || comesWith(upgrade, SINCE.scopesPerAccount)) {
    const { items } = await client.read("serverlessScan", signal);
    findings.push(...scopeFindings(items, upgrade));
  }
  // The same release deletes the firewall policies.
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
): readonly UpgradeFinding<ConsolePlace>[] {
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
): readonly UpgradeFinding<ConsolePlace>[] {
  const { from, to } = upgrade;
  const gone = scopeMembersOf(to).gone.filter(
    (member) => !scopeMembersOf(from).gone.includes(member),
  );
  return items.flatMap((item, index) => {
    const entry =
      `[${index}] ${[item.provider, item.region, item.pattern].filter((text) => text).join(" ")}`.trimEnd();
    const used = gone.filter((member) => (item[member] ?? "") !== "");
    const findings: UpgradeFinding<ConsolePlace>[] = [];
    if (comesWith(upgrade, SINCE.credentialsById) && isInline(item.credential)) {
      findings.push(inlineFinding("getServerlessScan", entry, upgrade));
    }
    if (used.length > 0) {
      findings.push({
        severity: "error",
        section: "9.3.3",
        message: `In ${describeRelease(to)}, a scope is set per account: this one loses ${used.join(" and ")}.`,
        replacement: "One scope for each account, with all of its credential IDs.",
        place: placeOf("getServerlessScan", entry, upgrade),
      });
    }
    return findings;
  });
}

function inlineFinding(
  name: EndpointName,
  entry: string,
  upgrade: Upgrade,
): UpgradeFinding<ConsolePlace> {
  return {
    severity: "error",
    section: "9.1.2",
    message: "The entry has an inline credential. Release 20.09 and later refuse it.",
    replacement: "Store the credential on the console, and refer to it by credentialID.",
    place: placeOf(name, entry, upgrade),
  };
}

function firewallFinding(
  name: EndpointName,
  count: number,
  upgrade: Upgrade,
): UpgradeFinding<ConsolePlace> {
  const rules = count === 1 ? "1 rule" : `${count} rules`;
  return {
    severity: "error",
    section: "9.2",
    message: `The upgrade deletes network firewall policies: ${rules} ${count === 1 ? "is" : "are"} lost.`,
    replacement: "Save the rules that you still need; release 20.09 and later do not enforce them.",
    place: placeOf(name, rules, upgrade),
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

/** Reports whether a credential has details. From 20.09 on, all members are empty or null. */
function isInline(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return false;
  return typeof value === "object" ? Object.values(value).some(isInline) : true;
}

/** Counts the rules of an answer. Its shape is not specified: it is a list, or an object with one. */
function countOfRules(body: unknown): number {
  if (Array.isArray(body)) return body.length;
  const lists = Object.values(z.record(z.string(), z.unknown()).safeParse(body).data ?? {});
  return Math.max(0, ...lists.map((list) => (Array.isArray(list) ? list.length : 0)));
}
