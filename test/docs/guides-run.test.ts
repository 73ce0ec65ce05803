import { OPENTOFU } from "../opentofu/install";
import { POSTGRES } from "../support/postgres";
import { slice } from "../support/cases";
import { onPath, testWhere } from "../support/requirement";
import { needsCdktf, needsPostgres, needsTemporal, RUN_PAGES, runPage } from "./support/run-page";

// test/cdktf-cli/guides-run.test.ts runs the pages that need cdktf, and test/temporal/guide.test.ts
// the one of workers.

// A page has up to forty commands.
jest.setTimeout(600_000);

/** Programs that a page may name, besides those of the package. */
const PROGRAMS = ["terraform", "tofu", "jq", "curl"];

const pages = slice(
  [...RUN_PAGES].filter(([page]) => !needsCdktf(page) && !needsTemporal(page)),
  5,
);

describe.each(pages)("%s", (page, script) => {
  const [missing] = [
    ...PROGRAMS.filter((name) => new RegExp(`\\b${name}\\b`).test(script)).map((name) =>
      name === "tofu" ? OPENTOFU : onPath(name),
    ),
    ...(needsPostgres(page) ? [POSTGRES] : []),
  ].filter(({ isMet }) => !isMet);
  const requirement = missing ?? { isMet: true, reason: "" };

  testWhere(requirement, "every command succeeds, from the first to the last", async () => {
    await runPage(page);
  });
});
