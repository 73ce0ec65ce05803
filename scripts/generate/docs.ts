/**
 * Writes the provider's pages in docs/, in the layout of the Terraform registry: index.md,
 * resources/, data-sources/, ephemeral-resources/ and functions/. They are made of the provider's
 * definitions and of what stands in examples/. docs/guides/ is written by hand.
 */
import { join, resolve } from "node:path";
import { consoleProvider } from "../../src/provider/cwp-provider";
import { dataSourcePage, ephemeralResourcePage, resourcePage } from "./docs/block-pages";
import { functionPage } from "./docs/function-page";
import { providerPage } from "./docs/provider-page";
import { writeOrCheck, type Generated } from "./files";

export const DOCS = resolve(__dirname, "../../docs");

export function generateDocs(check: boolean): Promise<number> {
  return writeOrCheck(providerDocs(), check);
}

/** Throws where a definition lacks an example or a subcategory. */
export function providerDocs(): Generated {
  const { resources, dataSources, ephemeralResources = [], functions = [] } = consoleProvider;
  const folders = {
    resources: resources.map((one) => [fileName(one.type), resourcePage(one)] as const),
    "data-sources": dataSources.map((one) => [fileName(one.type), dataSourcePage(one)] as const),
    "ephemeral-resources": ephemeralResources.map(
      (one) => [fileName(one.type), ephemeralResourcePage(one)] as const,
    ),
    functions: functions.map((one) => [`${one.name}.md`, functionPage(one)] as const),
  };
  const pages = Object.entries(folders).flatMap(([folder, entries]) =>
    entries.map(([name, page]) => [join(DOCS, folder, name), page] as const),
  );
  return {
    files: new Map([[join(DOCS, "index.md"), providerPage()], ...pages]),
    folders: Object.keys(folders).map((folder) => join(DOCS, folder)),
  };
}

/** As the registry wants it: without the provider's name. */
function fileName(type: string): string {
  return `${type.replace(/^cwp_/, "")}.md`;
}
