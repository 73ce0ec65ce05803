import { stringifyBody } from "../../api/json";
import type { Release } from "../../api/release";
import { jsonResponse } from "../messages";
import type { Handlers } from "../route";

/** How far auto-deploy has come (section 4.4). The console has nothing to protect yet: none. */
export const statuses: Handlers = {
  getServerlessAutoDeployStatus: ({ state, release }) =>
    jsonResponse(
      200,
      stringifyBody({
        serverlessAutoDeploy: {
          specs: state.data.serverlessAutoDeploySpecs.map(({ name }) => ({
            name,
            [protectedMember(release)]: 0,
          })),
        },
      }),
    ),

  getHostAutoDeployStatus: ({ release }) =>
    jsonResponse(
      200,
      JSON.stringify({ hostAutoDeploy: { status: { [protectedMember(release)]: 0 } } }),
    ),
};

/** The term of the release (9.3.6). */
function protectedMember(release: Release): "protected" | "defended" {
  return release === "next" ? "defended" : "protected";
}
