/** Custom runtime rules, the same in every release. */
export const CUSTOM_RULES = [
  customRule(1, "Package manager in a running container", "processes", [
    'proc.name in ("apt", "apt-get", "yum", "dnf", "apk")',
    "%proc.name was started in a container",
  ]),
  customRule(2, "Shell started by a web server", "processes", [
    'proc.pname in ("nginx", "httpd") and proc.name in ("sh", "bash")',
    "%proc.pname started %proc.name",
  ]),
  customRule(3, "Write below /etc", "filesystem", [
    'file.path startswith "/etc/"',
    "%proc.name wrote %file.path",
  ]),
  customRule(4, "Connection to the metadata service", "network-outgoing", [
    'net.outgoing_ip = "169.254.169.254"',
    "%proc.name asked the metadata service",
  ]),
  customRule(5, "Unusual user in the audit log", "kubernetes-audit", [
    'jpath("user.username") contains "anonymous"',
    "an anonymous user called the API",
  ]),
] as const;

function customRule(
  id: number,
  name: string,
  type: "processes" | "filesystem" | "network-outgoing" | "kubernetes-audit",
  [script, message]: readonly [string, string],
) {
  return { _id: id, name, type, script, message, owner: "system", description: "" };
}
