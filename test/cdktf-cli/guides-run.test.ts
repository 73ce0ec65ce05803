import { execFileSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { OPENTOFU } from "../opentofu/install";
import { needsCdktf, RUN_PAGES, runPage } from "../docs/support/run-page";
import { installed, testWhere } from "../support/requirement";
import { describeWithCdktf } from "./cdktf-project";
import { CDKTF } from "./install";
import { isPythonInstalled, PYTHON_BIN } from "./install-python";

// Bindings are generated and compiled for several languages.
jest.setTimeout(900_000);

const environment = { CI: "1", PATH: [dirname(CDKTF), PYTHON_BIN].join(delimiter) };

test("pages name cdktf", () => {
  expect([...RUN_PAGES.keys()].filter(needsCdktf)).toEqual([
    "docs/guides/engines.md",
    "docs/guides/languages.md",
  ]);
});

describeWithCdktf("every command succeeds, from the first to the last", () => {
  testWhere(OPENTOFU, "docs/guides/engines.md", async () => {
    await runPage("docs/guides/engines.md", environment);
  });

  const reason = "cdktf for Python is not installed: npx tsx test/cdktf-cli/install-python.ts";
  const python = installed(isPythonInstalled(), reason);
  testWhere(python, "docs/guides/languages.md", async () => {
    const policies = await runPage("docs/guides/languages.md", { ...environment, ...goCaches() });
    expect(policies[0]).toBe("No root in production");
  });
});

/** The caches of Go, which are below HOME otherwise. */
function goCaches(): Record<string, string> {
  const names = ["GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS"] as const;
  const values = execFileSync("go", ["env", "-json", ...names], { encoding: "utf8" });
  return JSON.parse(values) as Record<string, string>;
}
