import { applyResourceChange } from "./apply-resource-change";
import { callFunction } from "./call-function";
import { closeEphemeralResource } from "./close-ephemeral-resource";
import { configureProvider } from "./configure-provider";
import { getFunctions } from "./get-functions";
import { getMetadata } from "./get-metadata";
import { getProviderSchema } from "./get-provider-schema";
import { importResourceState } from "./import-resource-state";
import { moveResourceState } from "./move-resource-state";
import { openEphemeralResource } from "./open-ephemeral-resource";
import { planResourceChange } from "./plan-resource-change";
import { readDataSource } from "./read-data-source";
import { readResource } from "./read-resource";
import { renewEphemeralResource } from "./renew-ephemeral-resource";
import { stopProvider } from "./stop-provider";
import { upgradeResourceState } from "./upgrade-resource-state";
import { validateDataResourceConfig } from "./validate-data-resource-config";
import { validateEphemeralResourceConfig } from "./validate-ephemeral-resource-config";
import { validateProviderConfig } from "./validate-provider-config";
import { validateResourceConfig } from "./validate-resource-config";
import type { Rpc } from "../rpc";

/** The calls of `tfplugin6.Provider`, protocol 6.8. */
export const handlers: readonly Rpc[] = [
  getMetadata,
  getProviderSchema,
  validateProviderConfig,
  validateResourceConfig,
  validateDataResourceConfig,
  validateEphemeralResourceConfig,
  upgradeResourceState,
  configureProvider,
  readResource,
  planResourceChange,
  applyResourceChange,
  importResourceState,
  moveResourceState,
  readDataSource,
  openEphemeralResource,
  renewEphemeralResource,
  closeEphemeralResource,
  getFunctions,
  callFunction,
  stopProvider,
];
