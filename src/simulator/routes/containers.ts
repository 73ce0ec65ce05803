import { z } from "zod";
import { lastScan, withScan } from "../container-scans";
import type { Container, Inventory } from "../inventory";
import { jsonResponse } from "../messages";
import { pageResponse, pageSchema, withQuery } from "../query";
import type { Handlers, RouteContext } from "../route";

const containersQuery = pageSchema.extend({
  /** Whole, or the beginning with `*` behind it. */
  id: z.string().default("*"),
  /** A part of the name, in capitals or not. */
  search: z.string().default(""),
});

/** Containers, their scans and labels (section 4.2). */
export const containers = {
  getContainers: withQuery(containersQuery, (context, { id, search, ...page }) => {
    const inventory = context.inventory();
    const found = inventory.containers.filter(
      (container) => hasId(container, id) && hasName(container, search),
    );
    return pageResponse(found, page, (container) => containerRecord(container, context));
  }),

  startContainerScan: ({ state, now }) => {
    state.update({ containerScans: withScan(state.data.containerScans, now) });
    return jsonResponse(200, JSON.stringify({ startTime: now.toISOString() }));
  },

  getContainerLabels: ({ inventory }) =>
    jsonResponse(200, JSON.stringify(labelsOf(inventory().containers))),
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
      image: `${image.registry}/${image.repository}:${image.tag}`,
      imageID: image.id,
      cluster: host.cluster,
      namespace,
      labels,
      complianceIssues: issues.map(({ id, severity, title }) => ({ id, severity, title })),
      complianceIssuesCount: issues.length,
    },
  };
}

function scanTime(container: Container, { state, now, inventory }: RouteContext): string {
  const { containerScans, installedAt } = state.data;
  const place = { index: container.index, count: inventory().containers.length };
  const scanned = lastScan(containerScans, place, now);
  return (scanned ?? new Date(installedAt.getTime() - container.scanAge * 1000)).toISOString();
}

function labelsOf(all: Inventory["containers"]): readonly string[] {
  return [...new Set(all.flatMap(({ labels }) => labels))].sort();
}
