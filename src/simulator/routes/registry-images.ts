import { memberOf } from "../../core/member-of";
import { pageResponse, pageSchema, withQuery } from "../query";
import { DONE, type Handler, type RouteContext } from "../route";

/*
 * Images of registries and their scans, which clients of consoles in the field call. The specification
 * has neither, so no endpoint of the table answers them.
 */

/** The starts of scans are kept as a document. */
const SCANS = "registry/scan";

/** Duration of a scan of all images, in milliseconds of the console's clock. */
const SCAN_MS = 25_000;

/** Handlers by method and path. */
export const registryImages: ReadonlyMap<string, Handler> = new Map([
  [
    "GET /api/v1/registry",
    withQuery(pageSchema, (context, page) => {
      const scannedAt = lastScan(context) ?? context.state.data.installedAt.toISOString();
      return pageResponse(context.inventory().images, page, (image) => ({
        _id: image.id,
        scanTime: scannedAt,
        repoTag: { registry: image.registry, repo: image.repository, tag: image.tag },
        vulnerabilitiesCount: 0,
      }));
    }),
  ],
  [
    "POST /api/v1/registry/scan",
    ({ state, now }) => {
      const { documents } = state.data;
      const starts = [...startsOf(state), now.toISOString()].slice(-2);
      state.update({ documents: { ...documents, [SCANS]: starts } });
      return { ...DONE, headers: { date: now.toUTCString() } };
    },
  ],
]);

function startsOf(state: RouteContext["state"]): readonly string[] {
  const starts = memberOf(state.data.documents, SCANS);
  return Array.isArray(starts) ? starts.filter((one) => typeof one === "string") : [];
}

/** The end of the last scan that has ended. */
function lastScan({ state, now }: RouteContext): string | undefined {
  const ends = startsOf(state).map((start) => Date.parse(start) + SCAN_MS);
  const end = ends.findLast((one) => one <= now.getTime());
  return end === undefined ? undefined : new Date(end).toISOString();
}
