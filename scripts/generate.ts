/**
 * Writes everything that is generated from the definitions of the provider and of the commands.
 *
 *   tsx scripts/generate.ts           writes
 *   tsx scripts/generate.ts --check   fails if a file is not as it would be generated
 */
import { catalogueKinds } from "./generate/catalogue";
import { constructs } from "./generate/constructs";
import { findDefinitions, missingParts } from "./generate/definitions";
import { merged, reportStale, writeGenerated } from "./generate/files";
import { registry } from "./generate/registry";

/** Returns a line for each problem. */
async function generate(check: boolean): Promise<readonly string[]> {
  const kinds = await catalogueKinds();
  if (!check) await writeGenerated(kinds);
  const staleKinds = await reportStale(kinds);
  if (staleKinds !== undefined) return [staleKinds];
  // The definitions load the kinds. A file that does not match the schema is an error with its name.
  (await import("../src/api/catalogue/catalogue.js")).catalogue();

  const definitions = await findDefinitions();
  const missing = missingParts(definitions);
  if (missing.length > 0) return missing;

  const lists = await registry(definitions);
  if (!check) await writeGenerated(lists);
  const staleList = await reportStale(lists);
  if (staleList !== undefined) return [staleList];

  // These load the lists, so they are imported once the lists are up to date.
  const { COVERAGE_PAGE, coveragePage, uncoveredEndpoints } =
    await import("./generate/coverage/page.js");
  const { providerDocs } = await import("./generate/docs.js");
  const { generatedLists } = await import("./generate/lists.js");
  const { commandsPage } = await import("./generate/commands-page.js");
  const { jsonSchemas } = await import("./generate/json-schemas.js");
  const uncovered = uncoveredEndpoints();
  if (uncovered.length > 0) return uncovered;

  const generated = merged(
    await constructs(definitions),
    providerDocs(),
    generatedLists(),
    commandsPage(),
    await jsonSchemas(),
    {
      files: new Map([[COVERAGE_PAGE, coveragePage()]]),
      folders: [],
    },
  );
  if (!check) await writeGenerated(generated);
  const stale = await reportStale(generated);
  return stale === undefined ? [] : [stale];
}

void generate(process.argv.includes("--check"))
  .catch((failure: unknown) => [failure instanceof Error ? failure.message : String(failure)])
  .then((problems) => {
    for (const problem of problems) console.error(problem);
    process.exitCode = problems.length > 0 ? 1 : 0;
  });
