import { CONSTRUCTS } from "../constructs/constructs";
import type { consoleProvider } from "../../../src/provider/cwp-provider";
import type { Attributes } from "../../../src/provider/schema/attribute";
import { exampleSection, readExample } from "./example";
import { importSection } from "./import-section";
import { renderPage, type Page } from "./page";
import { releasesSection } from "./releases-section";
import { schemaSection } from "./schema-section";
import { subcategoryOf } from "./subcategories";

type Resource = (typeof consoleProvider.resources)[number];
type DataSource = (typeof consoleProvider.dataSources)[number];
type EphemeralResource = NonNullable<typeof consoleProvider.ephemeralResources>[number];

export function resourcePage(resource: Resource): string {
  const example = readExample(`resources/${resource.type}/resource`);
  return renderPage({
    ...heading(resource, "Resource"),
    sections: [
      construct(resource.attributes),
      exampleSection(example),
      schemaSection(resource.attributes),
      releasesSection(resource),
      importSection(resource, example),
    ],
  });
}

export function dataSourcePage(source: DataSource): string {
  return renderPage({
    ...heading(source, "Data Source"),
    sections: [
      construct(source.attributes),
      exampleSection(readExample(`data-sources/${source.type}/data-source`)),
      schemaSection(source.attributes),
      releasesSection(source),
    ],
  });
}

export function ephemeralResourcePage(ephemeral: EphemeralResource): string {
  return renderPage({
    ...heading(ephemeral, "Ephemeral Resource"),
    sections: [
      exampleSection(readExample(`ephemeral-resources/${ephemeral.type}/ephemeral-resource`)),
      schemaSection(ephemeral.attributes),
    ],
  });
}

function heading(
  { type, description }: { readonly type: string; readonly description: string },
  kind: string,
): Omit<Page, "sections"> {
  return { title: type, kind, subcategory: subcategoryOf(type), description };
}

function construct(attributes: Attributes): string {
  const found = CONSTRUCTS.find((one) => one.attributes === attributes);
  if (!found) throw new Error("There is no construct with these attributes.");
  return `The construct is \`${found.name}\`; its props have the names below in camelCase.`;
}
