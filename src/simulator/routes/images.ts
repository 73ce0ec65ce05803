import { compareReleases, type Release } from "../../api/release";
import type { Binary, Image } from "../inventory";
import { pageResponse, pageSchema, withQuery } from "../query";
import type { Handlers } from "../route";

/** Image scan reports (section 4.2). */
export const images = {
  getImages: withQuery(pageSchema, ({ inventory, release, state }, page) =>
    pageResponse(inventory().images, page, (image) =>
      imageRecord(image, release, state.data.installedAt),
    ),
  ),
} satisfies Handlers;

function imageRecord(image: Image, release: Release, installedAt: Date) {
  const { id, registry, repository, tag, binaries, scanAge } = image;
  return {
    _id: id,
    id,
    scan_time: new Date(installedAt.getTime() - scanAge * 1000).toISOString(),
    repoTag: { registry, repo: repository, tag },
    binaries: binaries.map((binary) => binaryRecord(binary, release)),
    // Announced as the place of the layer times (9.3.7).
    ...(release === "next" && {
      applications: binaries.map(({ name, path, version, layerTime }) => ({
        name,
        path,
        version,
        layerTime,
      })),
    }),
  };
}

/** Layer times come with 20.12. */
function binaryRecord({ layerTime, ...binary }: Binary, release: Release) {
  return compareReleases(release, "20.12") >= 0 ? { ...binary, layerTime } : binary;
}
