import { z } from "zod";
import type { Caller } from "../caller";
import { type JsonNumber, toNumber } from "../../core/json/lossless-json";
import { jsonNumber } from "../../core/json/json-number";
import { type ListKind, PagedList, type PageQuery } from "./list";

const text = z.string().nullish();

const layered = z.looseObject({ name: text, path: text, layerTime: jsonNumber.nullish() });
type Layered = z.infer<typeof layered>;

/** An image scan report (section 4.2), with every member that the console sent. */
export const imageSchema = z.looseObject({
  _id: text,
  id: text,
  /** `layerTime` is deprecated in `next` (9.3.7). */
  binaries: z.array(layered).nullish(),
  /** From `next` on: a list or an object. */
  applications: z.union([z.array(layered), z.record(z.string(), z.unknown())]).nullish(),
});
/** An image with the findings of its last scan (section 4.2). */
export type Image = z.infer<typeof imageSchema>;

const images: ListKind<Image> = { endpoint: "getImages", what: "images", item: imageSchema };

/** Image scan reports (section 4.2). `layerTimes` reads the layer times of any release (9.3.7). */
export class Images extends PagedList<Image, PageQuery> {
  constructor(caller: Caller) {
    super(caller, images);
  }
}

/** Maps a binary that was added without a package manager to a layer of an image. */
export interface LayerTime {
  readonly name?: string;
  readonly path?: string;
  /** Seconds since 1970. */
  readonly layerTime: number;
}

/** Returns the layer times of an image: of `applications` (9.3.7) or else of `binaries`. */
export function layerTimes(image: Pick<Image, "applications" | "binaries">): readonly LayerTime[] {
  const applications = timesOf(listed(image.applications));
  return applications.length > 0 ? applications : timesOf(image.binaries ?? []);
}

function listed(applications: Image["applications"]): readonly Layered[] {
  if (Array.isArray(applications)) return applications;
  const { data: one } = layered.safeParse(applications);
  if (one && isPresent(one.layerTime)) return [one];
  return Object.entries(applications ?? {}).flatMap(([name, value]) => {
    const { data } = layered.safeParse(value);
    return data ? [{ ...data, name: data.name ?? name }] : [];
  });
}

function timesOf(found: readonly Layered[]): readonly LayerTime[] {
  return found.flatMap(({ name, path, layerTime }) =>
    isPresent(layerTime)
      ? [{ ...(name && { name }), ...(path && { path }), layerTime: toNumber(layerTime) }]
      : [],
  );
}

function isPresent(layerTime: JsonNumber | null | undefined): layerTime is JsonNumber {
  return layerTime !== null && layerTime !== undefined;
}
