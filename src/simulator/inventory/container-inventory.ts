import { COMPLIANCE_CHECKS, type ComplianceCheck } from "./checks";
import type { Random } from "./random";
import { WORKLOADS, type Workload } from "./workloads";

export interface Host {
  readonly name: string;
  readonly cluster: string;
  /** True if a defender runs on the host; only then are its containers known. */
  readonly defended: boolean;
}

export interface Binary {
  readonly name: string;
  readonly path: string;
  readonly version: string;
  readonly md5: string;
  /** Time of the layer that added the binary, in epoch seconds. */
  readonly layerTime: number;
}

export interface Image {
  readonly id: string;
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
  readonly binaries: readonly Binary[];
  /** Seconds between its scan and the installation of the console. */
  readonly scanAge: number;
}

export interface Container {
  /** Position among all containers. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly host: Host;
  readonly image: Image;
  readonly namespace: string;
  /** `key:value` */
  readonly labels: readonly string[];
  readonly issues: readonly ComplianceCheck[];
  /** Like `Image.scanAge`. */
  readonly scanAge: number;
}

const CLUSTERS = ["eu-production", "eu-staging", "us-production"] as const;
const HOSTS_PER_CLUSTER = 9;
const DAY = 24 * 60 * 60;
const YEAR_2020 = Date.UTC(2020, 0, 1) / 1000;
/** Alphabet of the random part of names in Kubernetes. */
const NAME_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

/** The last host of each cluster has no defender. */
export const HOSTS: readonly Host[] = CLUSTERS.flatMap((cluster) =>
  Array.from({ length: HOSTS_PER_CLUSTER }, (_, index) => ({
    name: `node-${String(index + 1).padStart(2, "0")}.${cluster}.example.com`,
    cluster,
    defended: index < HOSTS_PER_CLUSTER - 1,
  })),
);

/** Returns the running images and their containers. */
export function containersIn(random: Random): {
  readonly images: readonly Image[];
  readonly containers: readonly Container[];
} {
  const images: Image[] = [];
  const containers: Container[] = [];
  const [first, ...others] = HOSTS.filter(({ defended }) => defended);
  if (first === undefined) return { images, containers };
  for (const workload of WORKLOADS) {
    const [oldest, ...newer] = workload.versions;
    const versions = [
      imageOf(workload, oldest, random),
      ...newer.map((version) => imageOf(workload, version, random)),
    ] as const;
    images.push(...versions);
    for (const namespace of workload.namespaces) {
      const image = random.pick(versions);
      const replicaSet = random.hex(9);
      for (let replica = 0; replica < workload.replicas; replica++) {
        const host = random.pick([first, ...others]);
        const container = containerOf(workload, namespace, replicaSet, image, host, random);
        containers.push({ index: containers.length, ...container });
      }
    }
  }
  return { images, containers };
}

function imageOf(workload: Workload, tag: string, random: Random): Image {
  const { registry, repository, programs } = workload;
  const built = YEAR_2020 + random.integer(300 * DAY);
  return {
    id: `sha256:${random.hex(64)}`,
    registry,
    repository,
    tag,
    binaries: programs.map(({ name, path }, layer) => ({
      name,
      path,
      version: layer === 0 ? tag : `${random.between(1, 14)}.${random.integer(20)}`,
      md5: random.hex(32),
      layerTime: built + layer * 30 + random.integer(30),
    })),
    scanAge: random.between(60, DAY),
  };
}

function containerOf(
  { name, team }: Workload,
  namespace: string,
  replicaSet: string,
  image: Image,
  host: Host,
  random: Random,
): Omit<Container, "index"> {
  const pod = `${name}-${replicaSet}-${random.letters(NAME_ALPHABET, 5)}`;
  return {
    id: random.hex(64),
    name: `k8s_${name}_${pod}_${namespace}_${random.integer(3)}`,
    host,
    image,
    namespace,
    labels: [`app:${name}`, `team:${team}`, `stage:${namespace}`, `version:${image.tag}`],
    issues: COMPLIANCE_CHECKS.filter(({ failing }) => random.chance(failing)),
    scanAge: random.between(60, DAY),
  };
}
