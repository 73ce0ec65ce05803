import { OPENTOFU } from "../opentofu/install";
import { POSTGRES } from "../support/postgres";
import { onPath, testWhere } from "../support/requirement";
import { PAGES } from "./support/pages";
import { needsCdktf, needsTemporal, RUN_PAGES, runPages } from "./support/run-page";

// A reader works through the guides in one project, from the first of the index to the last. The
// pages of cdktf-cli and Temporal need programs that take minutes to install, and are left out.

const index = PAGES.find(({ path }) => path === "docs/README.md")?.text ?? "";
const guides = [...index.matchAll(/\]\((guides\/[\w-]+\.md)\)/g)]
  .map(([, path = ""]) => `docs/${path}`)
  .filter((page) => RUN_PAGES.has(page) && !needsCdktf(page) && !needsTemporal(page));

const needed = ["terraform", "jq", "curl"].map(onPath);
const missing = [...needed, OPENTOFU, POSTGRES].find(({ isMet }) => !isMet);

testWhere(
  missing ?? { isMet: true, reason: "" },
  "guides run in the order of the index",
  async () => {
    expect(guides.length).toBeGreaterThan(15);
    await runPages(guides);
  },
);
