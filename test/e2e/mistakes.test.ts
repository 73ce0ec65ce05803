import type { Mistake } from "./support/mistake";
import { MISTAKES_OF_COMMANDS } from "./support/mistakes-of-commands";
import { MISTAKES_OF_FILES } from "./support/mistakes-of-files";
import { MISTAKES_OF_STACKS } from "./support/mistakes-of-stacks";
import { MISTAKES_OF_STEPS } from "./support/mistakes-of-steps";
import { MISTAKES_OF_VALUES } from "./support/mistakes-of-values";
import { Workspace, type Run } from "./support/workspace";

// Mistakes that people make in their first hour. A message has a point for the place of the mistake,
// for its cause and for the next step: texts that it must have.

const APP = "--app 'node app.js'";

/** An app that fails with an output. */
const fails = (output: string) => `console.error(${JSON.stringify(output)}); process.exit(1);\n`;

const MISTAKES: Readonly<Record<string, Mistake>> = {
  ...MISTAKES_OF_COMMANDS,
  ...MISTAKES_OF_FILES,
  ...MISTAKES_OF_STACKS,
  ...MISTAKES_OF_STEPS,
  ...MISTAKES_OF_VALUES,
  "an address with http": {
    command: "plan",
    environment: { CONSOLE_URL: "http://console" },
    place: /CONSOLE_URL sets base_url/,
    cause: /begin with https:\/\/, not http/,
    next: /Write https:\/\/HOST:PORT/,
  },
  "an address without a colon": {
    command: "plan",
    environment: { CONSOLE_URL: "https//console:8083" },
    place: /CONSOLE_URL sets base_url/,
    cause: /misspelled scheme/,
    next: /Write https:\/\/HOST:PORT/,
  },
  "an address with the path of the API": {
    command: "plan",
    environment: { CONSOLE_URL: "https://console/api/v1" },
    place: /CONSOLE_URL sets base_url/,
    cause: /must not contain \/api\/v1/,
    next: /Remove it/,
  },
  "no address": {
    command: "plan",
    place: /provider\.cwp .*at base_url/,
    cause: /Missing console address/,
    next: /Set base_url .*CONSOLE_URL/,
  },
  "a missing authority": {
    command: "plan",
    environment: { CONSOLE_URL: "console", CONSOLE_CA_FILE: "/none/ca.pem" },
    place: /CONSOLE_CA_FILE/,
    cause: /\/none\/ca\.pem: no such file/,
    next: /There is no folder \/none\. Correct the path/,
  },
  "an authority that is no certificate": {
    command: "plan",
    environment: { CONSOLE_URL: "console", CONSOLE_CA_FILE: __filename },
    place: /CONSOLE_CA_FILE/,
    cause: /no certificate in PEM|cannot be read/,
    next: /PEM text of the authority/,
  },
  "an unknown release": {
    command: "plan",
    environment: { CONSOLE_URL: "console", CONSOLE_RELEASE: "21.04" },
    place: /CONSOLE_RELEASE/,
    cause: /"21\.04"/,
    next: /Supported values are 20\.04/,
  },
  "no password": {
    command: "plan",
    environment: { CONSOLE_URL: "console", CONSOLE_PASSWORD: "" },
    place: /provider\.cwp|CONSOLE_PASSWORD/,
    cause: /needs username and password|is not set/,
    next: /CONSOLE_USERNAME|Set TF_VAR_/,
  },
  "a misspelled command": {
    command: "aply",
    place: /'aply'/,
    cause: /Unknown command/,
    next: /Did you mean apply/,
  },
  "a misspelled option": {
    command: "plan --hmtl x.html",
    place: /'--hmtl'/,
    cause: /Unknown option/,
    next: /Did you mean --html/,
  },
  "an option with one dash": {
    command: "apply -auto-approve",
    place: /'-auto-approve'/,
    cause: /Unknown option/,
    next: /Did you mean --auto-approve/,
  },
  "words for a number": {
    command: "plan --parallelism many",
    place: /--parallelism <count>/,
    cause: /'many' is invalid/,
    next: /whole number, 1 or more/,
  },
  "a shard that does not exist": {
    command: "plan --shard 9/8",
    place: /--shard/,
    cause: /'9\/8' is invalid/,
    next: /I from 1 to N/,
  },
  "waves that do not end": {
    command: "apply --waves 5%,1",
    place: /--waves/,
    cause: /'5%,1' is invalid/,
    next: /must\s+be 100%/,
  },
  "an unknown engine": {
    command: "plan --engine pulumi",
    place: /--engine/,
    cause: /'pulumi' is invalid/,
    next: /choices\s+are embedded/,
  },
  "a misspelled stack": {
    command: "plan prodd",
    place: /"prodd"/,
    cause: /no stack named/,
    next: /Did you mean "prod"/,
  },
  "a pattern without stacks": {
    command: "plan tenant-*",
    place: /"tenant-\*"/,
    cause: /No stack has a name/,
    next: /cdktf-console stacks/,
  },
  "a variable without a value": {
    command: "plan --var FOO",
    place: /--var/,
    cause: /Invalid --var/,
    next: /NAME=VALUE/,
  },
  "a plan that was not saved": {
    command: "apply production.plan",
    place: /production\.plan/,
    cause: /no such file/,
    next: /plan --out production\.plan/,
  },
  "a program for a plan": {
    command: "show main.ts",
    files: { "main.ts": "const app = 1;\n" },
    place: /main\.ts/,
    cause: /neither a plan .* nor a state/,
    next: /Name such a file/,
  },
  "a missing run log": {
    command: "apply --auto-approve --resume run.jsonl",
    place: /run\.jsonl/,
    cause: /no such file/,
    next: /Correct the name/,
  },
  "a misspelled contract": {
    command: "plan --contract protecton.yaml",
    files: { "protection.yaml": "version: 1\n" },
    place: /protecton\.yaml/,
    cause: /no such file/,
    next: /Did you mean "protection\.yaml"/,
  },
  "a missing list of stacks": {
    command: "plan --stacks-from list.txt",
    place: /list\.txt/,
    cause: /no such file/,
    next: /Correct the name/,
  },
  "a missing plan to review": {
    command: "review nosuch.json",
    place: /nosuch\.json/,
    cause: /no such file/,
    next: /Correct the name/,
  },
  "a missing file of variables": {
    command: "plan --var-file a/none.tfvars",
    place: /none\.tfvars/,
    cause: /no such file/,
    next: /Correct the path/,
  },
  "a side that is neither a file of policies nor a stack": {
    command: "protection diff a.jsn b.json",
    place: /a\.jsn/,
    cause: /another ending/,
    next: /NAME\.json/,
  },
  "a misspelled word of a contract": {
    command: "plan",
    files: { "protection.yaml": "version: 1\nrequired:\n  - name: x\n" },
    place: /protection\.yaml:2/,
    cause: /"required" is not expected/,
    next: /Did you\s+mean "require"/,
  },
  "a contract that ends too early": {
    command: "plan",
    files: { "protection.json": '{"version": 1' },
    place: /protection\.json:1/,
    cause: /ends before its JSON/,
    next: /correct it/,
  },
  "a date in another form": {
    command: "plan",
    files: {
      "protection.yaml":
        "version: 1\nwaivers:\n  - checks: { 599: { from: block, to: alert } }\n    owner: a\n    reason: b\n    expires: 31.12.2099\n",
    },
    place: /protection\.yaml:6/,
    cause: /"expires"/,
    next: /a date such as/,
  },
  "an approval that is not given": {
    command: "destroy --no-input",
    place: /--no-input/,
    cause: /no questions/,
    next: /--auto-approve/,
  },
  "a lock that nobody may release": {
    command: "force-unlock 1234 --no-input",
    place: /--no-input/,
    cause: /cannot be confirmed/,
    next: /--force/,
  },
  "an output that does not exist": {
    command: "output nosuch",
    place: /"nosuch"/,
    cause: /no output of this name/,
    next: /An apply stores/,
  },
  "a resource that is not in the state": {
    command: "taint cwp_nope.x",
    place: /cwp_nope\.x/,
    cause: /no resource instance/,
    next: /must apply it once/,
  },
  "an unknown shell": {
    command: "completion tcsh",
    place: /"tcsh"/,
    cause: /no completion/,
    next: /bash, zsh, fish/,
  },
  "an app that throws": {
    command: `plan ${APP}`,
    files: { "app.js": 'throw new Error("boom");\n' },
    place: /app\.js:1/,
    cause: /boom/,
    next: /Correct the app/,
  },
  "a program that does not exist": {
    command: "plan --app tsxx",
    place: /"tsxx"/,
    cause: /finds no such\s+program/,
    next: /"app" in cdktf\.json/,
  },
  "an app without stacks": {
    command: `plan ${APP}`,
    files: { "app.js": "" },
    place: /manifest\.json/,
    cause: /succeeded, but/,
    next: /app\.synth\(\)/,
  },
  "a column that does not exist": {
    command: `stacks ${APP}`,
    files: {
      "app.js": fails(
        'TenantFileError: tenants.csv has an error:\n  tenants.csv:1: the column "label.ring" is unknown; did you mean "labels.ring"?\n    at a (/x.js:1:1) {\n  problems: [ { line: 1 } ]\n}',
      ),
    },
    place: /tenants\.csv:1/,
    cause: /"label\.ring" is unknown/,
    next: /did you\s+mean/,
  },
  "settings that are not JSON": {
    command: "plan",
    files: { "cdktf.json": '{ "app": ' },
    place: /cdktf\.json, line 1/,
    cause: /not valid JSON/,
    next: /Correct it there/,
  },
  "a damaged state beside its backup": {
    command: "plan",
    files: { "terraform.prod.tfstate": '{"version": 4,', "terraform.prod.tfstate.backup": "{}" },
    place: /terraform\.prod\.tfstate/,
    cause: /ends within its JSON/,
    next: /\.backup has the state before the last write\. Copy it to/,
  },
  "words for a budget": {
    command: "apply --max-failures x",
    place: /--max-failures/,
    cause: /'x' is invalid/,
    next: /whole number or a percentage/,
  },
  "words for days": {
    command: "status --within soon",
    place: /--within <days>/,
    cause: /'soon' is invalid/,
    next: /whole number, 0 or more/,
  },
  "a missing folder of earlier documents": {
    command: "status --trend nosuch",
    place: /nosuch/,
    cause: /no such file/,
    next: /Correct the name/,
  },
  "an approval without a run": {
    command: "apply --approve-wave 2",
    place: /--approve-wave/,
    cause: /needs --resume/,
    next: /Name the run with --resume/,
  },
  "an end without waves": {
    command: "apply --auto-approve --until-wave 1 --run-log run.jsonl",
    place: /--until-wave/,
    cause: /needs --waves/,
    next: /Give the waves, as --waves/,
  },
  "a missing run to roll back": {
    command: "plan --rollback nope.jsonl",
    place: /nope\.jsonl/,
    cause: /no such file/,
    next: /Correct the name/,
  },
  "a folder for a page": {
    command: "plan --html cdktf.out",
    place: /cdktf\.out/,
    cause: /is a directory/,
    next: /Name a file/,
  },
  "an import without its construct": {
    command: "import prod cwp_license.nope",
    place: /with cwp_license\.nope/,
    cause: /stack has no cwp_license\.nope/,
    next: /Add its construct/,
  },
  "an explanation of nothing": {
    command: "explain",
    place: /Stack or console/,
    cause: /expected/,
    next: /Name one stack, or use --console/,
  },
  "a fault that does not exist": {
    command: "simulate --fault putCompliance:status=500 -- true",
    place: /"putCompliance:status=500"/,
    cause: /is neither/,
    next: /such as putCompliancePolicies/,
  },
  "an unknown effect in a contract": {
    command: "plan",
    files: {
      "protection.yaml":
        "version: 1\nrequire:\n  - name: x\n    where: {}\n    checks: { 599: blocks }\n",
    },
    place: /protection\.yaml:5/,
    cause: /"599" must be one of/,
    next: /"block", "alert"/,
  },
  "an app with an unknown name": {
    command: `plan ${APP}`,
    files: { "app.js": "new ConsoleBootstap();\n" },
    place: /app\.js:1/,
    cause: /ConsoleBootstap is not defined/,
    next: /Correct the app/,
  },
  "an app that cannot be parsed": {
    command: `plan ${APP}`,
    files: { "app.js": "const x = ;\n" },
    place: /app\.js:1/,
    cause: /Unexpected token/,
    next: /Correct the app/,
  },
  "an app that is not installed": {
    command: `plan ${APP}`,
    files: { "app.js": 'require("cdktf-consol");\n' },
    place: /app\.js/,
    cause: /Cannot find module 'cdktf-consol'/,
    next: /Correct the app/,
  },
  "a file for an app that does not exist": {
    command: "plan --app 'node man.js'",
    place: /man\.js/,
    cause: /Cannot find module/,
    next: /"app" in cdktf\.json/,
  },
  "settings without an app": {
    command: "plan",
    files: { "cdktf.json": "{}" },
    place: /cdktf\.json/,
    cause: /has no "app"/,
    next: /with --app/,
  },
};

/** Commands with an app or without stacks do not take `--out-dir`. */
const BARE =
  /^(?:aply|adopt|completion|download|help|history|provider|report|review|protection|scan|simulate|synth|upgrade)|--app|--out-dir/;

async function make({ command, environment = {}, files = {}, stack }: Mistake): Promise<Run> {
  const own = await Workspace.open();
  try {
    // The address is that of the environment, or there is none.
    if (stack) own.write(typeof stack === "function" ? stack(own) : stack);
    else if (command === "plan" && Object.keys(files).length === 0) {
      own.write(own.stackOf({}, { provider: { cwp: [{ username: "admin" }] } }));
    }
    for (const [name, content] of Object.entries(files)) own.file(name, content);
    own.environment = {
      ...own.environment,
      CONSOLE_PASSWORD: "a-long-password",
      ...environment,
    };
    const isBare = BARE.test(command) || files["cdktf.json"] !== undefined;
    const words = `${command}${isBare ? "" : " --out-dir cdktf.out"}`;
    const terminal = own.terminal();
    const argv = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? "",
    );
    const code = await terminal.run(...argv);
    return { code, out: terminal.out, err: terminal.err };
  } finally {
    await own.close();
  }
}

const points = new Map<string, number>();

test.each(Object.entries(MISTAKES))("%s", async (title, mistake) => {
  const { code, err } = await make(mistake);
  expect(code).toBe(1);
  const text = err.replaceAll(/\s+/g, " ");
  const found = (["place", "cause", "next"] as const).filter((part) => mistake[part].test(text));
  points.set(title, found.length);
  expect({ found, text }).toEqual({ found: ["place", "cause", "next"], text });
  expect(text).not.toMatch(/errno|requireStack|problems: \[/);
});

test("the messages have 2.9 points in the mean, and none has fewer than 2", () => {
  const all = [...points.values()];
  expect(all).toHaveLength(Object.keys(MISTAKES).length);
  expect(all.reduce((sum, one) => sum + one, 0) / all.length).toBeGreaterThanOrEqual(2.9);
  expect(Math.min(...all)).toBeGreaterThanOrEqual(2);
});
