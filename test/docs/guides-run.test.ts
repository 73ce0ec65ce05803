import { OPENTOFU } from "../opentofu/install";
import { POSTGRES } from "../support/postgres";
import { onPath, testWhere } from "../support/requirement";
import { slice } from "../support/cases";
import {
  GUIDES_IN_ORDER,
  needsCdktf,
  needsPostgres,
  needsTemporal,
  RUN_PAGES,
  runPage,
} from "./support/run-page";

// test/cdktf-cli/guides-run.test.ts runs the pages that need cdktf, and test/temporal/guide.test.ts
// the one of workers.

/** Programs that a page may name, besides those of the package. */
const PROGRAMS = ["terraform", "tofu", "jq", "curl"];

// guides-in-order.test.ts runs all guides one behind another.
const alone = slice(GUIDES_IN_ORDER, 3);
const pages = [...RUN_PAGES].filter(
  ([page]) =>
    !needsCdktf(page) &&
    !needsTemporal(page) &&
    (alone.includes(page) || !GUIDES_IN_ORDER.includes(page)),
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
