import { join } from "node:path";
import { ROOT, type Definitions, type Found } from "./definitions";
import { formatted, type Generated } from "./files";

const PROVIDER = join(ROOT, "src/provider");

/** The lists of resources and data sources that the provider is made of. */
export async function registry({ resources, dataSources }: Definitions): Promise<Generated> {
  const files = await formatted({
    [join(PROVIDER, "resources/index.ts")]: listSource(
      "All resources of the console's provider; those that set a console up come first.",
      "resources",
      "ListedResource",
      resources,
    ),
    [join(PROVIDER, "data-sources/index.ts")]: listSource(
      "All data sources of the console's provider.",
      "dataSources",
      "ListedDataSource",
      dataSources,
    ),
  });
  return { files, folders: [] };
}

function listSource(
  comment: string,
  name: string,
  type: string,
  found: readonly Found<unknown>[],
): string {
  return [
    `import type { ${type} } from "../listing";`,
    ...found.map(({ exported, module }) => `import { ${exported} } from "./${module}";`).sort(),
    "",
    `/** ${comment} */`,
    `export const ${name}: readonly ${type}[] = [${found.map(({ exported }) => exported).join(", ")}];`,
  ].join("\n");
}
