import { applyResourceChange } from "./apply-resource-change";
import { callFunction } from "./call-function";
import { closeEphemeralResource } from "./close-ephemeral-resource";
import { configureProvider } from "./configure-provider";
import { getFunctions } from "./get-functions";
import { getMetadata } from "./get-metadata";
import { getProviderSchema } from "./get-provider-schema";
import { importResourceState } from "./import-resource-state";
import { invokeAction } from "./invoke-action";
import { moveResourceState } from "./move-resource-state";
import { openEphemeralResource } from "./open-ephemeral-resource";
import { planAction } from "./plan-action";
import { planResourceChange } from "./plan-resource-change";
import { readDataSource } from "./read-data-source";
import { readResource } from "./read-resource";
import { renewEphemeralResource } from "./renew-ephemeral-resource";
import { stopProvider } from "./stop-provider";
import { upgradeResourceState } from "./upgrade-resource-state";
import { validateActionConfig } from "./validate-action-config";
import { validateDataResourceConfig } from "./validate-data-resource-config";
import { validateEphemeralResourceConfig } from "./validate-ephemeral-resource-config";
import { validateProviderConfig } from "./validate-provider-config";
import { validateResourceConfig } from "./validate-resource-config";
import type { Rpc } from "../rpc";

/** The calls of `tfplugin6.Provider`: all of protocol 6.8, and the actions of later ones. */
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
  validateActionConfig,
  planAction,
  invokeAction,
  stopProvider,
];
