import { countedStats, ratedChecks, ratedStats } from "../compliance-stats";
import { csvResponse } from "../csv";
import { jsonResponse } from "../messages";
import type { Handlers } from "../route";

/** Statistics for the dashboard (4.5), and what is announced in their place (9.3.1, 9.3.2). */
export const complianceStats = {
  getComplianceStats: ({ release, inventory, state, now }) => {
    const { containers } = inventory();
    const stats =
      release === "next"
        ? ratedStats(containers, state.data.collections.policies, now)
        : countedStats(containers);
    return jsonResponse(200, JSON.stringify(stats));
  },

  downloadComplianceStats: ({ inventory }) =>
    csvResponse(["id", "title", "rate"], ratedChecks(inventory().containers)),
} satisfies Handlers;
