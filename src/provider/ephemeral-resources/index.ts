import type { Console } from "../console";
import { consoleToken } from "./console-token";
import type { EphemeralResource } from "./definition";

/** All ephemeral resources of the console's provider: a new one is a line here. */
export const ephemeralResources: readonly EphemeralResource<Console>[] = [consoleToken];
