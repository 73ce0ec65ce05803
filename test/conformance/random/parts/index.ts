import { check } from "./conditions";
import {
  autoDeploy,
  containerScan,
  data,
  defender,
  license,
  policies,
  registry,
  serverlessScan,
} from "./console";
import { nullResource } from "./null-resource";
import type { Part } from "./part";
import { remoteState } from "./remote-state";
import { terraformData } from "./terraform-data";
import { local, output, variable } from "./values";

/** All parts with their weights. */
export const PARTS: readonly (readonly [weight: number, part: Part])[] = [
  [5, variable],
  [4, local],
  [7, output],
  [2, check],
  [8, nullResource],
  [5, terraformData],
  [3, data],
  [2, policies],
  [2, registry],
  [1, autoDeploy],
  [1, serverlessScan],
  [1, license],
  [1, defender],
  [1, containerScan],
  [1.5, remoteState],
];
