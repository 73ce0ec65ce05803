import { readdirSync, readFileSync } from "node:fs";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestTerminal } from "../../cli/test-terminal";
import type { Reader } from "../reader";

const REPORTS = join(__dirname, "../../api/scan-report/fixtures");

async function run(input: string, directory: string, ...argv: string[]): Promise<void> {
  const terminal = new TestTerminal({ directory, input });
  await terminal.run(...argv);
  if (terminal.err.includes("Internal error")) throw new Error(terminal.err);
}

/** Reports of the image scanner, as `report convert` reads them. */
export const reports: Reader = {
  name: "scan reports",
  open() {
    const samples = readdirSync(REPORTS)
      .filter((name) => name.endsWith(".json"))
      .map((name) => JSON.parse(readFileSync(join(REPORTS, name), "utf8")) as unknown);
    return {
      async read(mutations) {
        const argv = ["report", "convert", "-"];
        if (mutations.chance(0.3)) argv.push("--to", mutations.pick(["today", "announced"]));
        if (mutations.chance(0.3)) argv.push("--reference-date", mutations.text("2021-03-01"));
        await run(mutations.json(mutations.pick(samples)), ".", ...argv);
      },
    };
  },
};

/** The grammar of a search: paths, prefixes and boundaries of every kind. */
const SCRIPTS = {
  "deploy.sh": 'curl -sk -u "$U:$P" "$API/api/v1/scripts/defender.sh" | bash\n',
  "rules.py": 'requests.put(f"{base}/policies/runtime/custom-rules/{id}", json=rule)\n',
  "job.yml": "- uri: { url: '{{ api }}/defenders/helm/x-defender-helm.tar.gz', method: GET }\n",
};

/** Scripts that `upgrade` searches for changed endpoints. */
export const scripts: Reader = {
  name: "scripts of upgrade",
  open() {
    const folder = mkdtempSync(join(tmpdir(), "fuzz-scripts-"));
    const samples = Object.entries(SCRIPTS);
    return {
      async read(mutations) {
        const [name, text] = mutations.pick(samples);
        const file = join(folder, name);
        writeFileSync(file, mutations.text(text));
        try {
          await run("", folder, "upgrade", "--from", "20.04", "--to", "next", "--scripts", folder);
        } finally {
          rmSync(file);
        }
      },
      close() {
        rmSync(folder, { recursive: true });
        return Promise.resolve();
      },
    };
  },
};
