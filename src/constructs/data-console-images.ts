import type { Construct } from "constructs";
import { computedOf } from "./computed";
import { ConsoleDataSource } from "./console-data-source";
import type {
  DataConsoleImagesAttributes,
  DataConsoleImagesProps,
} from "./props/data-console-images";
import { images, imagesAttributes } from "../provider/data-sources/images";

/** Image scan reports, as far as layer times go (specification, sections 4.2 and 9.3.7). */
export class DataConsoleImages extends ConsoleDataSource implements DataConsoleImagesAttributes {
  static readonly tfResourceType = "cwp_images";

  constructor(scope: Construct, id: string, props: DataConsoleImagesProps = {}) {
    super(scope, id, images, props);
  }

  get images(): DataConsoleImagesAttributes["images"] {
    return computedOf(this, imagesAttributes).images;
  }
}
