/** Writes docs/api-coverage.md: every endpoint in every release, who calls it, what proves it. */
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { coveragePage } from "./coverage/page";

export const COVERAGE_PAGE = resolve(__dirname, "../../docs/api-coverage.md");

/** With `check`: gives 1, and writes nothing, where the page is not what would be written. */
export async function generateCoverage(check: boolean): Promise<number> {
  const page = coveragePage();
  if (!check) {
    await writeFile(COVERAGE_PAGE, page);
    return 0;
  }
  const found = await readFile(COVERAGE_PAGE, "utf8").catch(() => undefined);
  if (found === page) return 0;
  console.error("docs/api-coverage.md is out of date.\nRun: npm run generate");
  return 1;
}
