import { OPENTOFU } from "../opentofu/install";
import { POSTGRES } from "../support/postgres";
import { onPath, testWhere } from "../support/requirement";
import { GUIDES_IN_ORDER, runPages } from "./support/run-page";

// A reader works through the guides in one project, from the first of the index to the last. The
// pages of cdktf-cli and Temporal need programs that take minutes to install, and are left out.

// Eighteen pages, one behind another.
jest.setTimeout(1_800_000);

const needed = ["terraform", "jq", "curl"].map(onPath);
const missing = [...needed, OPENTOFU, POSTGRES].find(({ isMet }) => !isMet);

testWhere(
  missing ?? { isMet: true, reason: "" },
  "guides run in the order of the index",
  async () => {
    expect(GUIDES_IN_ORDER.length).toBeGreaterThan(15);
    await runPages(GUIDES_IN_ORDER);
  },
);
