/** A program in a workload's images that is not part of a package. */
interface Program {
  readonly name: string;
  readonly path: string;
}

export interface RunningWorkload {
  readonly name: string;
  readonly team: string;
  readonly registry: string;
  readonly repository: string;
  readonly versions: readonly [string, ...string[]];
  readonly namespaces: readonly [string, ...string[]];
  /** Number of containers in one namespace. */
  readonly replicas: number;
  readonly programs: readonly Program[];
}

const HUB = "docker.io";
const OWN = "registry.example.com";
const STAGES = ["production", "staging", "development"] as const;

const program = (path: string): Program => ({ name: path.slice(path.lastIndexOf("/") + 1), path });
const COMMON = ["/usr/local/bin/tini", "/usr/local/bin/gosu", "/opt/wait-for/wait-for"];
const PROGRAMS: Readonly<Record<Runtime, readonly string[]>> = {
  go: [],
  java: ["/opt/java/bin/java", "/opt/java/bin/keytool"],
  node: ["/usr/local/bin/node", "/opt/yarn/bin/yarn"],
  python: ["/usr/local/bin/python3.8", "/usr/local/bin/gunicorn"],
};
type Runtime = "go" | "java" | "node" | "python";

function service(name: string, team: string, replicas: number, runtime: Runtime): RunningWorkload {
  return {
    name,
    team,
    registry: OWN,
    repository: `${team}/${name}`,
    versions: ["1.4.0", "1.4.1", "1.5.0"],
    namespaces: STAGES,
    replicas,
    programs: [`/app/bin/${name}`, ...PROGRAMS[runtime], ...COMMON].map(program),
  };
}

function upstream([name, versions, namespaces, replicas, ...paths]: readonly [
  name: string,
  versions: RunningWorkload["versions"],
  namespaces: RunningWorkload["namespaces"],
  replicas: number,
  ...paths: string[],
]): RunningWorkload {
  const programs = [...paths, ...COMMON].map(program);
  const repository = name.includes("/") ? name : `library/${name}`;
  const short = repository.slice(repository.lastIndexOf("/") + 1);
  return {
    name: short,
    team: "platform",
    registry: HUB,
    repository,
    versions,
    namespaces,
    replicas,
    programs,
  };
}

/** Workloads of the hosts: about 400 containers of about 60 images. */
export const WORKLOADS: readonly RunningWorkload[] = [
  service("shopfront", "shop", 9, "node"),
  service("checkout", "shop", 8, "java"),
  service("cart", "shop", 6, "go"),
  service("catalogue", "shop", 7, "java"),
  service("search-api", "shop", 6, "python"),
  service("recommendations", "data", 5, "python"),
  service("events-collector", "data", 8, "go"),
  service("reporting", "data", 4, "java"),
  service("payments", "finance", 8, "java"),
  service("invoices", "finance", 4, "node"),
  service("ledger", "finance", 5, "go"),
  service("accounts", "identity", 6, "go"),
  service("login", "identity", 7, "node"),
  service("notifications", "messaging", 5, "node"),
  service("mail-sender", "messaging", 3, "python"),
  upstream(["nginx", ["1.18.0", "1.19.5"], ["ingress", ...STAGES], 7, "/usr/sbin/nginx"]),
  upstream(["redis", ["5.0.9", "6.0.9"], STAGES, 6, "/usr/local/bin/redis-server"]),
  upstream(["postgres", ["11.9", "12.5", "13.1"], STAGES, 5, "/usr/lib/postgresql/bin/postgres"]),
  upstream(["rabbitmq", ["3.8.9"], STAGES, 3, "/opt/rabbitmq/sbin/rabbitmq-server"]),
  upstream(["prom/prometheus", ["v2.22.1"], ["monitoring"], 2, "/bin/prometheus", "/bin/promtool"]),
  upstream([
    "grafana/grafana",
    ["7.3.4"],
    ["monitoring"],
    2,
    "/usr/share/grafana/bin/grafana-server",
  ]),
  upstream(["jenkins/jenkins", ["2.263-lts"], ["ci"], 3, "/opt/java/openjdk/bin/java"]),
];
