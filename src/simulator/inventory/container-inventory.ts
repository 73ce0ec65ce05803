import { COMPLIANCE_CHECKS } from "./checks";
import type { Random } from "./random";
import { WORKLOADS, type RunningWorkload } from "./workloads";

const CLUSTERS = ["eu-production", "eu-staging", "us-production"] as const;
const HOSTS_PER_CLUSTER = 9;
const DAY_SECONDS = 24 * 60 * 60;
const YEAR_2020 = Date.UTC(2020, 0, 1) / 1000;
/** Alphabet of the random part of names in Kubernetes. */
const NAME_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

/** The hosts. The containers of the last one of each cluster are unknown: it has no defender. */
export const HOSTS = CLUSTERS.flatMap((cluster) =>
  Array.from({ length: HOSTS_PER_CLUSTER }, (_, index) => ({
    name: `node-${String(index + 1).padStart(2, "0")}.${cluster}.example.com`,
    cluster,
    defended: index < HOSTS_PER_CLUSTER - 1,
  })),
);

/** Returns the running images and their containers. */
export function containersIn(random: Random) {
  const images: InventoryImage[] = [];
  const containers: InventoryContainer[] = [];
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
        const place = { index: containers.length, namespace, replicaSet, host };
        containers.push(containerOf(workload, place, image, random));
      }
    }
  }
  return { images, containers };
}

export type InventoryImage = ReturnType<typeof imageOf>;
export type Binary = InventoryImage["binaries"][number];

function imageOf(workload: RunningWorkload, tag: string, random: Random) {
  const { registry, repository, programs } = workload;
  const built = YEAR_2020 + random.integer(300 * DAY_SECONDS);
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
      /** Time of the layer that added the binary, in epoch seconds. */
      layerTime: built + layer * 30 + random.integer(30),
    })),
    /** Seconds between its scan and the installation of the console. */
    scanAge: random.between(60, DAY_SECONDS),
  };
}

export type InventoryContainer = ReturnType<typeof containerOf>;

interface Placement {
  /** Position among all containers. */
  readonly index: number;
  readonly namespace: string;
  readonly replicaSet: string;
  readonly host: (typeof HOSTS)[number];
}

function containerOf(
  { name, team }: RunningWorkload,
  { index, namespace, replicaSet, host }: Placement,
  image: InventoryImage,
  random: Random,
) {
  const pod = `${name}-${replicaSet}-${random.letters(NAME_ALPHABET, 5)}`;
  return {
    index,
    id: random.hex(64),
    name: `k8s_${name}_${pod}_${namespace}_${random.integer(3)}`,
    host,
    image,
    namespace,
    /** `key:value` */
    labels: [`app:${name}`, `team:${team}`, `stage:${namespace}`, `version:${image.tag}`],
    issues: COMPLIANCE_CHECKS.filter(({ failing }) => random.chance(failing)),
    /** Seconds from the last scan to the installation of the console. */
    scanAge: random.between(60, DAY_SECONDS),
  };
}
