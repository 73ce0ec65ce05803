import { hasChange } from "../../api/release";
import { isDocument, type Document } from "../documents";
import {
  COMPLIANCE_CHECKS,
  CUSTOM_RULES,
  type ComplianceCheck,
  type Container,
} from "../inventory";
import { csvResponse, jsonResponse } from "../messages";
import type { Handlers } from "../route";

/** There are no runtime policies, as on a fresh console. */
const RUNTIME = { learningDisabled: false, rules: [] };

/** Policies for connectivity tests (section 4.2), free JSON, and custom rules (9.3.4). */
export const policyRoutes = {
  getPolicies: ({ state }) =>
    jsonResponse(200, {
      containerCompliance: { rules: state.data.collections.policies },
      containerRuntime: RUNTIME,
    }),

  getRuntimePolicies: () => jsonResponse(200, RUNTIME),

  getCustomRules: () => jsonResponse(200, CUSTOM_RULES),
} satisfies Handlers;

/** Statistics of the dashboard (4.5) and the announced ones that replace them (9.3.1, 9.3.2). */
export const complianceRoutes = {
  getComplianceStats: ({ release, inventory, state, now }) => {
    const { containers } = inventory();
    const stats = hasChange(release, "ratedStatistics")
      ? ratedStats(containers, state.data.collections.policies, now)
      : countedStats(containers);
    return jsonResponse(200, stats);
  },

  downloadComplianceStats: ({ inventory }) =>
    csvResponse(["id", "title", "rate"], ratedChecks(inventory().containers)),
} satisfies Handlers;

const SHOWN_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Statistics up to 20.12. Their form is not specified. */
function countedStats(containers: readonly Container[]) {
  const failing = containers.filter(({ issues }) => issues.length > 0).length;
  return {
    containers: { total: containers.length, compliant: containers.length - failing, failing },
    complianceIssues: COMPLIANCE_CHECKS.map((check) => ({
      id: check.id,
      title: check.title,
      severity: check.severity,
      failing: containers.filter(({ issues }) => issues.includes(check)).length,
    })),
  };
}

/** Announced statistics: rates by regulation, benchmark, rule and check, and a trend (9.3.1). */
function ratedStats(containers: readonly Container[], policies: readonly Document[], now: Date) {
  const passing = (checks: readonly ComplianceCheck[]) =>
    rate(containers, ({ issues }) => !issues.some((issue) => checks.includes(issue)));
  const regulations = new Set(COMPLIANCE_CHECKS.flatMap((check) => check.regulations));
  const benchmarks = new Set(COMPLIANCE_CHECKS.map(({ benchmark }) => benchmark));
  return {
    regulations: [...regulations].map((name) => ({
      name,
      rate: passing(COMPLIANCE_CHECKS.filter((check) => check.regulations.includes(name))),
    })),
    benchmarks: [...benchmarks].map((name) => ({
      name,
      rate: passing(COMPLIANCE_CHECKS.filter(({ benchmark }) => benchmark === name)),
    })),
    rules: policies.map((policy) => ({
      name: String(policy.name),
      rate: passing(COMPLIANCE_CHECKS.filter(({ id }) => checkedBy(policy).has(String(id)))),
    })),
    trend: trend(containers, now),
    checks: ratedChecks(containers),
  };
}

function ratedChecks(containers: readonly Container[]) {
  return COMPLIANCE_CHECKS.map((check) => ({
    id: check.id,
    title: check.title,
    rate: rate(containers, ({ issues }) => !issues.includes(check)),
  }));
}

/** Returns the IDs of a policy's checks. */
function checkedBy({ condition }: Document): ReadonlySet<string> {
  const checks = isDocument(condition) ? condition.vulnerabilities : undefined;
  return new Set(
    Array.isArray(checks)
      ? checks.map((check: unknown) => (isDocument(check) ? String(check.id) : ""))
      : [],
  );
}

/** Returns the failed checks by day, decreasing, until today. */
function trend(containers: readonly Container[], now: Date) {
  const failed = containers.reduce((sum, { issues }) => sum + issues.length, 0);
  return Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const daysAgo = SHOWN_DAYS - 1 - index;
    return {
      date: new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10),
      failed: failed + daysAgo * 3 + (daysAgo % 7),
    };
  });
}

/** Returns the percentage of the containers that pass, with one decimal. */
function rate(containers: readonly Container[], passes: (container: Container) => boolean): number {
  if (containers.length === 0) return 100;
  return Math.round((1000 * containers.filter(passes).length) / containers.length) / 10;
}
