import type { ListedDataSource, ListedResource } from "../../../src/provider/listing";
import type { ProviderAction } from "../../../src/core/definitions/action-definition";
import type { EphemeralResource } from "../../../src/core/definitions/provider-definition";
import type { Console } from "../../../src/provider/console/connection";
import { dataConstructOf } from "../definitions";
import { exampleSection, readExample } from "./example";
import { importSection } from "./import-section";
import { kindsSection } from "./kinds-section";
import { renderPage, type Page } from "./page";
import { releasesSection } from "./releases-section";
import { schemaSection } from "./schema-section";

export function resourcePage(resource: ListedResource): string {
  const example = readExample(`resources/${resource.type}/resource`);
  return renderPage({
    ...heading(resource, "Resource"),
    sections: [
      constructNote(resource.construct),
      exampleSection(example),
      kindsSection(resource.type),
      schemaSection(resource.attributes),
      releasesSection(resource),
      importSection(resource, example),
    ],
  });
}

export function dataSourcePage(source: ListedDataSource): string {
  return renderPage({
    ...heading(source, "Data Source"),
    sections: [
      constructNote(dataConstructOf(source.type)),
      exampleSection(readExample(`data-sources/${source.type}/data-source`)),
      schemaSection(source.attributes),
      releasesSection(source),
    ],
  });
}

export function ephemeralResourcePage(ephemeral: EphemeralResource<Console>): string {
  return renderPage({
    ...heading(ephemeral, "Ephemeral Resource"),
    sections: [
      exampleSection(readExample(`ephemeral-resources/${ephemeral.type}/ephemeral-resource`)),
      schemaSection(ephemeral.attributes),
    ],
  });
}

export function actionPage(action: ProviderAction<Console>): string {
  return renderPage({
    ...heading(action, "Action"),
    sections: [
      exampleSection(readExample(`actions/${action.type}/action`)),
      schemaSection(action.attributes),
    ],
  });
}

interface Headed {
  readonly type: string;
  readonly category?: string;
  readonly description: string;
}

function heading({ type, category, description }: Headed, kind: string): Omit<Page, "sections"> {
  if (category === undefined) throw new Error(`${type} has no category: add it to its definition`);
  return { title: type, kind, subcategory: category, description };
}

function constructNote(name: string): string {
  return `The construct is \`${name}\`; its props have the names below in camelCase.`;
}
