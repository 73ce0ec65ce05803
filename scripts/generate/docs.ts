import { join } from "node:path";
import { dataSources } from "../../src/provider/data-sources";
import { cwpProvider } from "../../src/provider/cwp-provider";
import { resources } from "../../src/provider/resources";
import { ROOT } from "./definitions";
import {
  actionPage,
  dataSourcePage,
  ephemeralResourcePage,
  resourcePage,
} from "./docs/block-pages";
import { functionPage } from "./docs/function-page";
import { providerPage } from "./docs/provider-page";
import type { Generated } from "./files";

export const DOCS = join(ROOT, "docs");

/**
 * The provider's pages in docs/, in the layout of the Terraform registry: index.md, resources/,
 * data-sources/, ephemeral-resources/, actions/ and functions/. docs/guides/ is written by hand.
 */
export function providerDocs(): Generated {
  const { ephemeralResources, actions, functions } = cwpProvider;
  const folders = {
    resources: resources.map((one) => [fileName(one.type), resourcePage(one)] as const),
    "data-sources": dataSources.map((one) => [fileName(one.type), dataSourcePage(one)] as const),
    "ephemeral-resources": ephemeralResources.map(
      (one) => [fileName(one.type), ephemeralResourcePage(one)] as const,
    ),
    actions: actions.map((one) => [fileName(one.type), actionPage(one)] as const),
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

/** The registry expects names without the provider's. */
function fileName(type: string): string {
  return `${type.replace(/^cwp_/, "")}.md`;
}
