import type { Caller } from "../caller";
import type { Page } from "../paging";
import { type Image, imageSchema } from "../results/images";
import { type ListKind, type PageQuery, readPage, readPages } from "./list";

const images: ListKind<Image> = { endpoint: "getImages", what: "images", item: imageSchema };

/** Image scan reports (section 4.2); `layerTimes` reads those of any release (9.3.7). */
export class Images {
  constructor(private readonly caller: Caller) {}

  /** All reports or, with a `limit`, one page: fetched as the loop comes to them. */
  list(
    { offset, limit }: PageQuery = {},
    signal?: AbortSignal,
  ): AsyncGenerator<Image, void, undefined> {
    return readPages(this.caller, images, { offset, limit }, signal);
  }

  /** One page, with the number of all reports where the console tells it. */
  page(
    { offset = 0, limit }: PageQuery & { readonly limit: number },
    signal?: AbortSignal,
  ): Promise<Page<Image>> {
    return readPage(this.caller, images, { offset, limit }, signal);
  }
}
