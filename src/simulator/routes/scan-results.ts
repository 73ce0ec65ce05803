import { z } from "zod";
import { hasChange, type Release } from "../../api/release";
import type { Binary, ComplianceCheck, Container, Image } from "../inventory";
import { jsonResponse } from "../messages";
import { pageResponse, pageSchema, withQuery } from "../query";
import type { Handlers, RouteContext } from "../route";

const containersQuery = pageSchema.extend({
  /** An ID, or a prefix followed by `*`. */
  id: z.string().default("*"),
  /** Part of the name, ignoring case. */
  search: z.string().default(""),
});

/** Containers, their scans and labels (section 4.2). */
export const containerRoutes = {
  getContainers: withQuery(containersQuery, (context, { id, search, ...page }) => {
    const inventory = context.inventory();
    const found = inventory.containers.filter(
      (container) => hasId(container, id) && hasName(container, search),
    );
    return pageResponse(found, page, (container) => containerRecord(container, context));
  }),

  startContainerScan: ({ state, now }) => {
    state.update({ containerScans: withScan(state.data.containerScans, now) });
    return jsonResponse(200, { startTime: now.toISOString() });
  },

  getContainerLabels: ({ inventory }) => {
    const labels = inventory().containers.flatMap((container) => container.labels);
    return jsonResponse(200, [...new Set(labels)].sort());
  },
} satisfies Handlers;

function hasId({ id }: Container, wanted: string): boolean {
  return wanted.endsWith("*") ? id.startsWith(wanted.slice(0, -1)) : id === wanted;
}

function hasName({ name }: Container, search: string): boolean {
  return name.toLowerCase().includes(search.toLowerCase());
}

function containerRecord(container: Container, context: RouteContext) {
  const { id, name, host, image, namespace, labels, issues } = container;
  return {
    _id: id,
    scan_time: scanTime(container, context),
    hostname: host.name,
    info: {
      name,
      image: nameOf(image),
      imageName: nameOf(image),
      imageID: image.id,
      cluster: host.cluster,
      namespace,
      labels,
      ...cloudOf(host.cluster),
      complianceIssues: issues.map(issueRecord),
      complianceIssuesCount: issues.length,
    },
  };
}

const issueRecord = ({ id, severity, title }: ComplianceCheck) => ({ id, severity, title });

const nameOf = ({ registry, repository, tag }: Image) => `${registry}/${repository}:${tag}`;

/** The staging cluster runs on own machines, so its containers have no account. */
function cloudOf(cluster: string) {
  if (cluster === "eu-staging") return {};
  const region = cluster.startsWith("us-") ? "us-east-1" : "eu-west-1";
  return { cloudMetadata: { provider: "aws", accountID: "210987654321", region } };
}

/** Duration of a scan of all containers, in seconds of the console's clock. */
const SCAN_SECONDS = 25;

/** Returns the time of the last scan that has reached the container. */
function scanTime({ index, scanAge }: Container, { state, now, inventory }: RouteContext): string {
  const { containerScans, installedAt } = state.data;
  // A scan reaches one container after the other.
  const delay = Math.ceil((SCAN_SECONDS * 1000 * (index + 1)) / inventory().containers.length);
  const reached = containerScans.findLast((start) => start.getTime() + delay <= now.getTime());
  const time = reached ? reached.getTime() + delay : installedAt.getTime() - scanAge * 1000;
  return new Date(time).toISOString();
}

/** Adds a scan and drops those that a later, complete scan covers. */
function withScan(starts: readonly Date[], now: Date): readonly Date[] {
  const whole = starts.findLastIndex(
    (start) => start.getTime() + SCAN_SECONDS * 1000 <= now.getTime(),
  );
  return [...starts.slice(Math.max(whole, 0)), now];
}

/** Image scan reports (section 4.2). */
export const imageRoutes = {
  getImages: withQuery(pageSchema, (context, page) =>
    pageResponse(context.inventory().images, page, (image) => imageRecord(image, context)),
  ),
} satisfies Handlers;

function imageRecord(image: Image, { inventory, release, state }: RouteContext) {
  const { id, registry, repository, tag, binaries, scanAge } = image;
  const scanned = new Date(state.data.installedAt.getTime() - scanAge * 1000).toISOString();
  const running = inventory().containers.filter((container) => container.image === image);
  const issues = new Map(running.flatMap((one) => one.issues.map((issue) => [issue.id, issue])));
  const repoTag = { registry, repo: repository, tag };
  return {
    _id: id,
    id,
    scan_time: scanned,
    repoTag,
    tags: [repoTag],
    instances: [...new Set(running.map(({ host }) => host.name))].map((host) => ({
      host,
      image: nameOf(image),
      modified: scanned,
    })),
    packages: [
      { pkgsType: "binary", pkgs: binaries.map(({ name, version }) => ({ name, version })) },
    ],
    vulnerabilities: [],
    complianceIssues: [...issues.values()].map(issueRecord),
    binaries: binaries.map((binary) => binaryRecord(binary, release)),
    // Announced place of the layer times (9.3.7).
    ...(hasChange(release, "applicationLayerTimes") && {
      applications: binaries.map(({ name, path, version, layerTime }) => ({
        name,
        path,
        version,
        layerTime,
      })),
    }),
  };
}

/** Layer times exist from 20.12 on. */
function binaryRecord({ layerTime, ...binary }: Binary, release: Release) {
  return hasChange(release, "layerTimes") ? { ...binary, layerTime } : binary;
}
