import { z } from "zod";
import { layerTimes, type Image } from "../../api/areas/images";
import { dataSource } from "../listing";
import { computed, list, number, object, string } from "../../core/schema/attribute";
import type { StateOf } from "../../core/schema/types";
import { knownAttribute, textOf, itemsOf, pageAttributes, pageQuery } from "./attributes";

const layerTime = object({
  name: computed(string(), "Name of the binary."),
  path: computed(string(), "Path of the binary in the image."),
  layer_time: computed(number(), "Time of the layer that added the binary, in seconds since 1970."),
});

const imageAttributes = {
  id: computed(string(), "Image ID."),
  registry: knownAttribute(string(), "Registry."),
  repository: knownAttribute(string(), "Repository."),
  tag: knownAttribute(string(), "Tag."),
  layer_times: computed(
    list(layerTime),
    "Layer times of binaries that no package manager installed, from `binaries` or, if the console has them, from `applications` (section 9.3.7). Empty before 20.12.",
  ),
};

const attributes = {
  ...pageAttributes("images"),
  images: computed(list(object(imageAttributes)), "Images, in the console's order."),
};

/** GET images (section 4.2). Whole reports are too large for a state. */
export const images = dataSource({
  type: "cwp_images",
  category: "Registries",
  description:
    "Images and the layer times in their scan reports (specification, sections 4.2 and 9.3.7).",
  attributes,
  endpoints: ["getImages"],
  async read(config, { connection: { client }, signal }) {
    const rows = await itemsOf(config, client.images.rows(pageQuery(config), imageOf, signal));
    return { state: { ...config, images: rows } };
  },
});

const repoTagSchema = z.looseObject({
  registry: z.unknown().optional(),
  repo: z.unknown().optional(),
  tag: z.unknown().optional(),
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
