import { defendedTerm } from "../../api/endpoints";
import { stringifyJson } from "../../api/json";
import { reaches } from "../defended";
import { HOSTS } from "../inventory";
import { jsonResponse } from "../messages";
import type { Handlers } from "../route";

/** How far auto-deploy has come (section 4.4). */
export const statuses = {
  /** Every function that a specification reaches has its defender. */
  getServerlessAutoDeployStatus: ({ state, release, inventory }) =>
    jsonResponse(
      200,
      stringifyJson({
        serverlessAutoDeploy: {
          specs: state.data.collections.serverlessAutoDeploy.map((specification) => ({
            name: specification.name,
            [defendedTerm(release)]: inventory().functions.filter((found) =>
              reaches(specification, found),
            ).length,
          })),
        },
      }),
    ),

  getHostAutoDeployStatus: ({ release }) => {
    const defended = HOSTS.filter((host) => host.defended).length;
    return jsonResponse(
      200,
      JSON.stringify({ hostAutoDeploy: { status: { [defendedTerm(release)]: defended } } }),
    );
  },
} satisfies Handlers;
