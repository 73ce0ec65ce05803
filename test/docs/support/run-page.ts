import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { install, nullInstallations } from "../../../src/terraform-provider/installation";
import { startSimulator, type Simulator } from "../../../src/simulator";
import { temporaryFolder } from "../../cli/stack-files";
import { TOFU } from "../../opentofu/install";
import { COMPILE_CACHE } from "../../support/kept-folder";
import { packedPackage, packedPath, packedProject } from "../../support/packed-package";
import { Postgres } from "../../support/postgres";
import { StateServer } from "../../support/state-server";
import { blocksOf, BLOCKS, PAGES, type Block } from "./pages";

/**
 * Blocks of a page run in the project of `init` of the packed package, in their order. The project's
 * stack was applied, if the page has one console. Comments in front of a block prepare it:
 * `<!-- file: NAME -->` and `<!-- more of: NAME -->` save it, `<!-- change: NAME -->` makes the
 * change of a diff. After `<!-- while it serves: COMMAND -->` the block runs until it has printed a
 * line and the command has ended. Then it is interrupted. `<!-- exits with: 1 -->` is the exit code
 * of a block, and a block of text after `<!-- printed: … -->` is a part of what it printed.
 */
const COMMENT =
  /<!-- (?<kind>file|more of|change|while it serves|exits with|printed): (?<text>[^\n]*) -->\n\n/;
const COMMENTS = new RegExp(`(?:${COMMENT.source.replaceAll(/\?<\w+>/g, "?:")})+$`);

/** A page with consoles of two tenants besides the one of the project. */
const WITH_TENANTS = /^docs\/guides\/tenants\.md$/;
const WITH_POSTGRES = WITH_TENANTS;

const commands = new Set(blocksOf("sh", "shell"));

/** Pages with commands that a reader runs in a project, and all their commands. */
export const RUN_PAGES: ReadonlyMap<string, string> = new Map(
  PAGES.filter(({ path }) => path.startsWith("docs/guides/") || path === "examples/README.md")
    .map(({ path }) => {
      const own = [...commands].filter(({ page }) => page === path);
      return [path, own.map(({ text }) => text).join("\n")] as const;
    })
    .filter(([, script]) => script !== ""),
);

export const needsPostgres = (page: string): boolean => WITH_POSTGRES.test(page);

/** The page of workers, which test/temporal runs. */
export const needsTemporal = (page: string): boolean => page === "docs/guides/networks.md";

/** Makes the change of a diff, whose removed and unchanged lines must be in the file once. */
const CHANGE = join(__dirname, "apply-diff.cjs");

/** Pages with commands of cdktf. */
export const needsCdktf = (page: string): boolean => /^cdktf /m.test(RUN_PAGES.get(page) ?? "");

const index = PAGES.find(({ path }) => path === "docs/README.md")?.text ?? "";

/** The guides in the order of the index, but for those whose programs take minutes to install. */
export const GUIDES_IN_ORDER: readonly string[] = [...index.matchAll(/\]\((guides\/[\w-]+\.md)\)/g)]
  .map(([, path = ""]) => `docs/${path}`)
  .filter((page) => RUN_PAGES.has(page) && !needsCdktf(page) && !needsTemporal(page));

const isSaved = (block: Block) =>
  ["file", "more of", "change"].some((kind) => commentsOf(block).has(kind));

/** A whole app in TypeScript that no page saves as a file. */
export const isProgram = (block: Block): boolean =>
  /^(ts|typescript)$/.test(block.language) && block.text.includes("new App()") && !isSaved(block);

/** Statements of a stack in TypeScript, on a page for tasks. */
export const isFragment = (block: Block): boolean =>
  /^(ts|typescript)$/.test(block.language) &&
  block.page.startsWith("docs/guides/") &&
  !isSaved(block) &&
  !isTest(block) &&
  !isProgram(block);

/** A test of jest. */
export const isTest = ({ text }: Block): boolean => /^test\(/m.test(text);

/** A project in which a page runs, and what the page needs besides. */
interface Surroundings {
  readonly directory: string;
  readonly simulator: Simulator;
  readonly states: StateServer;
  readonly postgres: Postgres | undefined;
}

/**
 * Runs the blocks of a page, which must all succeed. Returns the names of the policies that its
 * first console has then.
 *
 * @param environment - more variables; folders in `PATH` come after those of the package
 */
export function runPage(
  page: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly unknown[]> {
  return runPages([page], environment);
}

/**
 * Runs pages one after the other in one project, each in a new terminal. The stack of the project is
 * applied before each page.
 */
export async function runPages(
  pages: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly unknown[]> {
  const directory = packedProject(join(temporaryFolder(), "my-console"));
  const home = temporaryFolder();
  // The registry of hashicorp/null cannot be had.
  for (const one of nullInstallations()) {
    await install(join(home, ".terraform.d/plugins"), one, packedPackage().provider);
  }
  const simulator = await startSimulator({
    tenants: pages.some((page) => WITH_TENANTS.test(page)) ? 3 : 1,
  });
  const states = await StateServer.open();
  const postgres = pages.some(needsPostgres) ? await Postgres.open() : undefined;
  try {
    const surroundings = { directory, simulator, states, postgres };
    const steps = pages.flatMap((page) => ["(", ...stepsOf(page, surroundings), ")"]);
    const { PATH = "", ...more } = environment;
    const ended = await promisify(execFile)(
      "bash",
      ["-c", ["exec 2>&1", "set -e", ...steps].join("\n")],
      {
        cwd: directory,
        maxBuffer: 2 ** 26,
        env: {
          ...environmentOf(surroundings),
          HOME: home,
          PATH: [packedPath(dirname(TOFU)), PATH].join(delimiter),
          ...more,
        },
      },
    ).then(
      () => "done",
      (failure: unknown) => outputOf(failure),
    );
    expect(ended).toBe("done");
    return simulator.consoles[0].console.policies().map(({ name }) => name);
  } finally {
    await Promise.all([simulator.close(), states.close(), postgres?.close()]);
  }
}

/** The lines of the script for a page. Files are staged, and put in their place in turn. */
function stepsOf(page: string, surroundings: Surroundings): readonly string[] {
  const { directory, simulator } = surroundings;
  const staged = temporaryFolder();
  const steps = BLOCKS.filter((block) => block.page === page).flatMap((block, index) => {
    const comments = commentsOf(block);
    const filled = withAddresses(block.text, simulator);
    const stage = (text: string) => {
      const file = join(staged, String(index));
      writeFileSync(file, text);
      return file;
    };
    const [name, more] = [comments.get("file"), comments.get("more of")];
    const saved = name ?? more;
    if (saved !== undefined) {
      mkdirSync(join(directory, dirname(saved)), { recursive: true });
      return [
        `cat '${stage(filled)}' ${name === undefined ? ">>" : ">"} '${saved}'`,
        `chmod 755 '${saved}'`,
      ];
    }
    const changed = comments.get("change");
    if (changed !== undefined) return [`node ${CHANGE} '${changed}' '${stage(filled)}'`];
    if (comments.has("printed"))
      return [`[[ "$(< ../printed)" == *"$(< '${stage(filled.trimEnd())}')"* ]]`];
    if (!commands.has(block)) return [];
    const begin = [`echo "${block.place}"`];
    const [command, code] = [comments.get("while it serves"), comments.get("exits with")];
    if (command !== undefined) return [...begin, ...served(filled, command)];
    return [...begin, ...(code === undefined ? [filled] : failing(filled, code))];
  });
  return [`cd '${directory}'`, "cdktf-console apply -y", ...steps];
}

/** Runs a command while a block serves, with `served` as the file of what it printed. */
function served(block: string, command: string): readonly string[] {
  return [
    "here=$PWD",
    "set -m", // Without job control, programs in the background ignore interrupts.
    `{ exec ${block.trim()}; } > ../served & server=$!`,
    "until [ -s ../served ]; do kill -0 $server; sleep 0.1; done",
    command,
    'cd "$here"',
    "kill -INT $server; wait $server || [ $? = 130 ]",
    "set +m",
  ];
}

/** Runs a block that ends with an exit code, and keeps what it prints. */
function failing(block: string, code: string): readonly string[] {
  return [
    `exited=0; ( ${block.trim()} ) > ../printed 2>&1 || exited=$?`,
    "cat ../printed",
    `[ $exited = ${code} ]`,
  ];
}

/** The comments in front of a block by their kinds. */
function commentsOf({ page, line }: Block): ReadonlyMap<string, string> {
  const text = PAGES.find(({ path }) => path === page)?.text ?? "";
  const before = text.split("\n").slice(0, line - 1);
  const [comments = ""] = COMMENTS.exec(before.map((one) => `${one}\n`).join("")) ?? [];
  return new Map(
    [...comments.matchAll(new RegExp(COMMENT, "g"))].map(([, kind = "", given = ""]) => [
      kind,
      given,
    ]),
  );
}

/** Addresses and files of examples become those of the test; secrets are in the environment. */
export function withAddresses(text: string, { consoles, caFile }: Simulator): string {
  const [own, acme = own, globex = acme] = consoles;
  return text
    .replaceAll("https://acme.example.com:8083", acme.url)
    .replaceAll("https://globex.example.com:8083", globex.url)
    .replaceAll("https://console.example.com:8083", own.url)
    .replaceAll("/etc/console/ca.pem", caFile)
    .replaceAll('"ca.pem"', JSON.stringify(caFile))
    .replaceAll("npm install cdktf-console", 'npm install "$PACKED"')
    .replaceAll(/ (TF_HTTP_\w*ADDRESS)=…/g, ' $1="$STATE_SERVER"')
    .replaceAll(/ (\w+)=…/g, ' $1="$$$1"');
}

function environmentOf(surroundings: Surroundings): NodeJS.ProcessEnv {
  const { consoles, caFile } = surroundings.simulator;
  const { states, postgres } = surroundings;
  const secrets = {
    CONSOLE_PASSWORD: "correct-horse-battery",
    CONSOLE_LICENSE_KEY: "license-key-of-the-test",
  };
  return {
    ...secrets,
    ACME_PASSWORD: secrets.CONSOLE_PASSWORD,
    TF_VAR_CONSOLE_PASSWORD: secrets.CONSOLE_PASSWORD,
    TF_VAR_CONSOLE_LICENSE_KEY: secrets.CONSOLE_LICENSE_KEY,
    BROWSER: "true",
    CHECKPOINT_DISABLE: "1",
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    TMPDIR: process.env.TMPDIR,
    CONSOLE_URL: consoles[0].url,
    CONSOLE_CA_FILE: caFile,
    CONSOLE_USERNAME: "admin",
    PACKED: packedPackage().tarball,
    STATE_SERVER: states.url(),
    ...postgres?.environment,
  };
}

/** The end of what a script printed before it failed. */
function outputOf(failure: unknown): string {
  const hasOutput = typeof failure === "object" && failure !== null && "stdout" in failure;
  return hasOutput ? String(failure.stdout).slice(-3000) : String(failure);
}
