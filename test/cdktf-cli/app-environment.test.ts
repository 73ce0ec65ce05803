import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { TestTerminal } from "../cli/test-terminal";
import { slice } from "../support/cases";
import { describeWhere, installed } from "../support/requirement";
import { startProgram, temporaryFolder } from "../support/terraform-project";
import { isCdktfInstalled, NODE_OF_CDKTN, programOf, type CommandLine } from "./install";

jest.setTimeout(300_000);

/** Variables of the shell, and of the Terraform that only cdktf starts. */
const OTHERS = ["_", "PWD", "OLDPWD", "SHLVL", "TF_PLUGIN_CACHE_DIR"];

const DUMPS = `
  const { writeFileSync } = require("node:fs");
  const names = Object.keys(process.env).filter((name) => !${JSON.stringify(OTHERS)}.includes(name));
  writeFileSync("dump.json", JSON.stringify(process.env, names.sort()));
  process.exit(1);
`;

const MODULES = [
  "./m1",
  "../up",
  "terraform-aws-modules/vpc/aws@2.0.0",
  { name: "two", source: "./mod" },
  { name: "far", source: "git::https://example.com/vpc.git" },
];

interface Run {
  readonly settings: object;
  readonly environment: Readonly<Record<string, string>>;
}

const RUNS: readonly Run[] = [
  {
    settings: { context: { a: { b: 1 } }, terraformModules: MODULES },
    environment: { CDKTF_CONTEXT_JSON: '{"a": {"c": 2}, "d": 3}', TF_VAR_size: "1" },
  },
  { settings: {}, environment: {} },
  {
    settings: { terraformModules: MODULES },
    environment: {
      CDKTF_CONTEXT_JSON: '{"a": {"c": 2}, "d": 3}',
      CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: "false",
      NODE_ENV: "development",
      NODE_OPTIONS: "--no-warnings",
      SYNTH_HCL_OUTPUT: "true",
    },
  },
];

for (const name of ["cdktf", "cdktn"] satisfies readonly CommandLine[]) {
  const reason = `${name}-cli is not installed: npx tsx test/cdktf-cli/install.ts`;
  describeWhere(installed(isCdktfInstalled(name), reason), `the environment of the app`, () => {
    // The first has all settings.
    test.each(slice(RUNS, 3))(
      `equals that of ${name}-cli: %j`,
      async ({ settings, environment }) => {
        const directory = temporaryFolder();
        const project = {
          language: "typescript",
          app: "node app.cjs",
          projectId: "p",
          ...settings,
        };
        writeFileSync(join(directory, "app.cjs"), DUMPS);
        writeFileSync(
          join(directory, "cdktf.json"),
          JSON.stringify({ ...project, sendCrashReports: "false" }),
        );
        // Both look for the bindings of modules before they start the app.
        writeFileSync(join(directory, ".gen"), "");
        const all = {
          PATH: [NODE_OF_CDKTN, process.env.PATH].join(delimiter),
          HOME: directory,
          CHECKPOINT_DISABLE: "1",
          ...environment,
        };
        const theirs = startProgram(programOf(name), ["synth"], directory, all);
        const { out, err } = await theirs.ended;
        const expected = dumpIn(directory, `${out}${err}`);
        const terminal = new TestTerminal({ directory, environment: all });
        await terminal.run("synth");
        const found = dumpIn(directory, terminal.err);
        expect(found).toEqual({ ...expected, CDKTF_OUTDIR: join(directory, "cdktf.out") });
      },
    );
  });
}

/** Reads the environment that an app wrote. Context is compared as JSON. */
function dumpIn(directory: string, output: string): Readonly<Record<string, unknown>> {
  const file = join(directory, "dump.json");
  if (!existsSync(file)) throw new Error(`The app was not started:\n${output}`);
  const dump = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  writeFileSync(file, "{}");
  return { ...dump, CDKTF_CONTEXT_JSON: JSON.parse(dump.CDKTF_CONTEXT_JSON ?? "null") as unknown };
}
