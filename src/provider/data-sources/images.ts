import { z } from "zod";
import { layerTimes, type Image } from "../../api/areas/images";
import type { Console } from "../console/connection";
import type { DataSourceDefinition } from "../definitions/data-source-definition";
import type { DataSourceListing } from "../definitions/listing";
import { computed, list, number, object, string } from "../schema/attribute";
import type { StateOf } from "../schema/types";
import { knownAttribute, textOf } from "./attributes";
import { itemsOf, pageAttributes, pageQuery } from "./pages";

const layerTime = object({
  name: computed(string(), "Name of the binary."),
  path: computed(string(), "Where in the image it is."),
  layer_time: computed(number(), "Of the layer that brought it, in seconds since 1970."),
});

const imageAttributes = {
  id: computed(string(), "The image's ID."),
  registry: knownAttribute(string(), "Its registry."),
  repository: knownAttribute(string(), "Its repository."),
  tag: knownAttribute(string(), "Its tag."),
  layer_times: computed(
    list(layerTime),
    "When the binaries came that no package manager brought: from `binaries` or, where the console has them, from `applications` (section 9.3.7). Empty before 20.12.",
  ),
};

export const imagesAttributes = {
  ...pageAttributes("images"),
  images: computed(list(object(imageAttributes)), "The images, in the console's order."),
};

/** GET images (section 4.2), of which only this is kept: a report as a whole may be megabytes. */
export const images: DataSourceDefinition<typeof imagesAttributes, Console> & DataSourceListing = {
  type: "cwp_images",
  category: "Registries",
  description: "Image scan reports, as far as layer times go (specification, section 4.2).",
  attributes: imagesAttributes,
  endpoints: ["getImages"],
  async read(config, { connection: { client }, signal }) {
    const found = await itemsOf(config, client.images.list(pageQuery(config), signal));
    return { state: { ...config, images: found.map(imageOf) } };
  },
};

const repoTagSchema = z.looseObject({
  registry: z.unknown(),
  repo: z.unknown(),
  tag: z.unknown(),
});

function imageOf(found: Image): StateOf<typeof imageAttributes> {
  const { data: repoTag } = repoTagSchema.safeParse(found.repoTag);
  return {
    id: found._id ?? found.id ?? null,
    registry: textOf(repoTag?.registry),
    repository: textOf(repoTag?.repo),
    tag: textOf(repoTag?.tag),
    layer_times: layerTimes(found).map(({ name, path, layerTime }) => ({
      name: name ?? null,
      path: path ?? null,
      layer_time: layerTime,
    })),
  };
}
