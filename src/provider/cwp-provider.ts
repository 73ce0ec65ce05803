import { configurationAttributes } from "./configuration/configuration-attributes";
import { configure } from "./configuration/configure";
import type { Console } from "./console/connection";
import { dataSources } from "./data-sources";
import type { ProviderDefinition } from "./definitions/resource-definition";
import { ephemeralResources } from "./ephemeral-resources";
import { functions } from "./functions";
import { PROVIDER_NAME, PROVIDER_SOURCE } from "./identity";
import { announcing, announcingData } from "./console/release-changes";
import { resources } from "./resources";

/** The provider `cdktf-console/cwp`. */
export const consoleProvider: ProviderDefinition<Console> = {
  source: PROVIDER_SOURCE,
  name: PROVIDER_NAME,
  description: "Manages a workload-security console by its HTTP API.",
  configuration: configurationAttributes,
  resources: resources.map(announcing),
  dataSources: dataSources.map(announcingData),
  ephemeralResources,
  functions,
  configure,
  endpoint: ({ client }) => client.baseUrl,
  close: ({ client }) => client.close(),
};
