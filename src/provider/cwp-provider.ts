import { containerScanAction } from "./actions/container-scan";
import { registryScanAction } from "./actions/registry-scan-run";
import { diagnoseConsole } from "./console/diagnose";
import { forgetSetup } from "./console/setup";
import { configurationAttributes } from "./configuration/configuration-attributes";
import { configure, LOOK_PATIENCE_MS } from "./configuration/configure";
import type { Console } from "./console/connection";
import { dataSources } from "./data-sources";
import type { ProviderDefinition } from "../core/definitions/provider-definition";
import { consoleToken } from "./ephemeral-resources/console-token";
import { policiesFromJson, policiesToJson } from "./functions/policies-json";
import { PROVIDER_NAME, PROVIDER_SOURCE } from "./identity";
import { announcing, announcingData } from "./release-changes";
import { resources } from "./resources";

/** The provider `cdktf-console/cwp`. */
export const cwpProvider: ProviderDefinition<Console> = {
  source: PROVIDER_SOURCE,
  name: PROVIDER_NAME,
  description: "Manages a workload-security console by its HTTP API.",
  configuration: configurationAttributes,
  resources: resources.map(announcing),
  dataSources: dataSources.map(announcingData),
  ephemeralResources: [consoleToken],
  functions: [policiesFromJson, policiesToJson],
  actions: [containerScanAction, registryScanAction],
  configure: (block, environment, log, directory) =>
    configure(block, { environment, log, directory }),
  diagnose: diagnoseConsole,
  endpoint: ({ client }) => client.address,
  close: (connection) => {
    forgetSetup(connection);
    return connection.client.close();
  },
};

/** The provider of a command that only looks at consoles. */
export const lookingProvider: ProviderDefinition<Console> = {
  ...cwpProvider,
  configure: (block, environment, log, directory) =>
    configure(block, { environment, log, directory, patienceMs: LOOK_PATIENCE_MS }),
};
