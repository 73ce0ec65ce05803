import type { Console } from "../console/connection";
import { consoleToken } from "./console-token";
import type { EphemeralResource } from "../definitions/ephemeral-definition";

/** All ephemeral resources of the console's provider: a new one is a line here. */
export const ephemeralResources: readonly EphemeralResource<Console>[] = [consoleToken];
