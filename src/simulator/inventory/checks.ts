export type CheckSeverity = "low" | "medium" | "high" | "critical";

export interface SimulatedCheck {
  /** ID in the policies' `condition.vulnerabilities[].id`. */
  readonly id: number;
  readonly severity: CheckSeverity;
  readonly title: string;
  /** Probability that a container fails the check. */
  readonly failing: number;
  readonly regulations: readonly string[];
  readonly benchmark: string;
}

const DOCKER = "CIS Docker";
const KUBERNETES = "CIS Kubernetes";

type Row = readonly [
  id: number,
  severity: CheckSeverity,
  failing: number,
  title: string,
  regulations?: readonly string[],
  benchmark?: string,
];

const PCI = ["NIST SP 800-190", "PCI DSS"];
const HEALTH = ["NIST SP 800-190", "HIPAA"];
const ALL = ["NIST SP 800-190", "PCI DSS", "HIPAA", "GDPR"];

const ROWS: readonly Row[] = [
  [41, "high", 0.18, "Image runs as root: create a user for the container", ALL],
  [51, "critical", 0.02, "Container runs without an AppArmor profile", PCI],
  [52, "medium", 0.1, "Container runs without SELinux options"],
  [53, "high", 0.06, "Container has Linux capabilities that it does not need", HEALTH],
  [54, "critical", 0.03, "Container is privileged", ALL],
  [55, "high", 0.04, "Sensitive directories of the host are mounted", ALL],
  [56, "high", 0.02, "An SSH server runs in the container", PCI],
  [57, "medium", 0.08, "Privileged ports are mapped into the container"],
  [58, "low", 0.12, "Ports are open that nobody needs", PCI],
  [59, "high", 0.05, "Container shares the network of the host", PCI],
  [510, "medium", 0.3, "No memory limit is set"],
  [511, "low", 0.28, "No CPU share is set"],
  [512, "medium", 0.35, "The root file system is writable", HEALTH],
  [515, "high", 0.02, "Container shares the host's process namespace", HEALTH],
  [525, "medium", 0.15, "Processes may gain further privileges", ALL],
  [528, "low", 0.4, "No limit of processes is set", ["NIST SP 800-190"], KUBERNETES],
  [599, "medium", 0.07, "Container runs as root", HEALTH, KUBERNETES],
  [597, "high", 0.01, 'A secret is set as an environment variable ("plain text")', ALL],
];

/** The compliance checks of the console. */
export const COMPLIANCE_CHECKS: readonly SimulatedCheck[] = ROWS.map(
  ([id, severity, failing, title, regulations = ["NIST SP 800-190"], benchmark = DOCKER]) => ({
    id,
    severity,
    title,
    failing,
    regulations,
    benchmark,
  }),
);
