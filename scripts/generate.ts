/**
 * Writes all that is generated.
 *
 *   tsx scripts/generate.ts           writes
 *   tsx scripts/generate.ts --check   fails where a file is not what would be written
 */
import { generateCoverage } from "./generate/coverage";
import { generateDocs } from "./generate/docs";
import { generateProps } from "./generate/constructs";

async function main(check: boolean): Promise<void> {
  const codes = [
    await generateProps(check),
    await generateCoverage(check),
    await generateDocs(check),
  ];
  process.exitCode = Math.max(...codes);
}

void main(process.argv.includes("--check"));
