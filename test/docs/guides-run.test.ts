import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { install, nullInstallations } from "../../src/plugin/installation";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { OPENTOFU, TOFU } from "../opentofu/install";
import { packedPackage, packedPath, packedProject } from "../support/packed-package";
import { onPath, testWhere } from "../support/requirement";
import { NOT_RUN } from "./support/not-run";
import { BLOCKS, PAGES, type Block } from "./support/pages";

/**
 * Blocks of guides run in the project of `init` of the packed package, in their order. The stack was
 * applied to a console. Comments in front of a block prepare it: `<!-- file: NAME -->` and
 * `<!-- more of: NAME -->` save it, `<!-- before: COMMAND -->` runs a command first.
 */
const COMMENT = /<!-- (?<kind>file|more of|before): (?<text>[^\n]*) -->\n\n$/;

const guides = BLOCKS.filter(({ page }) => page.startsWith("docs/guides/"));
const commands = guides.filter(({ language }) => language === "sh" || language === "shell");
const pages = [...new Set(commands.filter((block) => !isNotRun(block)).map(({ page }) => page))];

/** Programs that a page may name, besides those of the package. */
const PROGRAMS = ["terraform", "tofu", "jq"];

function isNotRun({ page, text }: Block): boolean {
  return NOT_RUN.some((one) => one.page === page && text.startsWith(one.start));
}

function commentOf({ page, line }: Block): Readonly<Record<string, string | undefined>> {
  const text = PAGES.find(({ path }) => path === page)?.text ?? "";
  const before = text.split("\n").slice(0, line - 1);
  return COMMENT.exec(before.map((one) => `${one}\n`).join(""))?.groups ?? {};
}

test("the table of blocks that are not run does not grow, and names blocks that exist", () => {
  const found = NOT_RUN.filter((one) =>
    commands.some(
      (block) => isNotRun(block) && block.page === one.page && block.text.startsWith(one.start),
    ),
  );
  expect(found).toEqual(NOT_RUN);
  expect(NOT_RUN.length).toBeLessThanOrEqual(12);
  expect(commands.filter(isNotRun)).toHaveLength(NOT_RUN.length);
});

describe.each(pages)("%s", (page) => {
  const blocks = guides.filter((block) => block.page === page && !isNotRun(block));
  const script = blocks
    .filter((block) => commands.includes(block))
    .map(({ text }) => text)
    .join("\n");
  const [missing] = PROGRAMS.filter((name) => new RegExp(`\\b${name}\\b`).test(script))
    .map((name) => (name === "tofu" ? OPENTOFU : onPath(name)))
    .filter(({ isMet }) => !isMet);
  const requirement = missing ?? { isMet: true, reason: "" };

  testWhere(requirement, "every command succeeds, from the first to the last", async () => {
    const directory = packedProject(join(temporaryFolder(), "my-console"));
    const home = temporaryFolder();
    // The registry of hashicorp/null cannot be had.
    for (const one of nullInstallations()) {
      await install(join(home, ".terraform.d/plugins"), one, packedPackage().provider);
    }
    const simulator = await startSimulator({ tenants: page.endsWith("tenants.md") ? 2 : 1 });
    try {
      const text = ["exec 2>&1", "set -e", ...stepsOf(blocks, directory, simulator)].join("\n");
      const run = promisify(execFile);
      const ended = await run("bash", ["-c", text], {
        cwd: directory,
        maxBuffer: 2 ** 26,
        env: environmentOf(simulator, home),
      }).then(
        () => "done",
        (failure: unknown) => outputOf(failure),
      );
      expect(ended).toBe("done");
    } finally {
      await simulator.close();
    }
  });
});

/** The lines of the script for a page. Files are staged, and put in their place in turn. */
function stepsOf(
  blocks: readonly Block[],
  directory: string,
  simulator: Simulator,
): readonly string[] {
  const staged = temporaryFolder();
  return [
    ...(simulator.consoles.length === 1 ? ["cdktf-console apply -y"] : []),
    ...blocks.flatMap((block, index) => {
      const { kind, text = "" } = commentOf(block);
      const filled = withAddresses(block.text, simulator);
      const file = join(staged, String(index));
      if (kind === "file" || kind === "more of") {
        writeFileSync(file, filled);
        mkdirSync(join(directory, dirname(text)), { recursive: true });
        return [`cat '${file}' ${kind === "file" ? ">" : ">>"} '${text}'`, `chmod 755 '${text}'`];
      }
      if (!commands.includes(block)) return [];
      const before = kind === "before" ? text : "";
      return [`cd '${directory}'`, before, `echo "${block.place}"`, filled];
    }),
  ];
}

/** The consoles of the guide about tenants are embedded ones. */
function withAddresses(text: string, { consoles }: Simulator): string {
  const [acme, globex = acme] = consoles;
  return text
    .replaceAll("https://acme.example.com:8083", acme.url)
    .replaceAll("https://globex.example.com:8083", globex.url);
}

function environmentOf({ consoles, caFile }: Simulator, home: string): NodeJS.ProcessEnv {
  const secrets = {
    CONSOLE_PASSWORD: "correct-horse-battery",
    CONSOLE_LICENSE_KEY: "license-key-of-the-test",
  };
  return {
    ...secrets,
    TF_VAR_CONSOLE_PASSWORD: secrets.CONSOLE_PASSWORD,
    TF_VAR_CONSOLE_LICENSE_KEY: secrets.CONSOLE_LICENSE_KEY,
    PATH: packedPath(dirname(TOFU)),
    HOME: home,
    BROWSER: "true",
    CHECKPOINT_DISABLE: "1",
    CONSOLE_URL: consoles.length === 1 ? consoles[0].url : undefined,
    CONSOLE_CA_FILE: caFile,
    CONSOLE_USERNAME: "admin",
    PACKED: packedPackage().tarball,
  };
}

/** The end of what a script printed before it failed. */
function outputOf(failure: unknown): string {
  const hasOutput = typeof failure === "object" && failure !== null && "stdout" in failure;
  return hasOutput ? String(failure.stdout).slice(-3000) : String(failure);
}
