import type { Mistake } from "./mistake";
import type { Workspace } from "./workspace";

const stack = (workspace: Workspace) =>
  workspace.stackOf({
    cwp_compliance_policy_set: { p: { policies: [{ name: "a", checks: { "41": true } }] } },
  });

const resource = (input: unknown, more: object = {}) => ({
  resource: { terraform_data: { a: { input, ...more } } },
});

const plan = (environment: Mistake["environment"]) => ({
  command: "plan",
  stack,
  environment: { ...environment },
});

const contract = (name: string, text: string) => ({
  command: `plan --contract ${name}`,
  files: { [name]: text },
});

/** Mistakes in values: secrets, tokens, arguments of resources, entries of files. */
export const MISTAKES_OF_VALUES: Readonly<Record<string, Mistake>> = {
  "an empty password": {
    ...plan({ CONSOLE_PASSWORD: "", TF_VAR_CONSOLE_PASSWORD: "" }),
    place: /provider\.cwp .*at password/,
    cause: /must not be empty/i,
    next: /TF_VAR_CONSOLE_PASSWORD or CONSOLE_PASSWORD in the environment/,
  },
  "a password that ends in a line break": {
    ...plan({ TF_VAR_CONSOLE_PASSWORD: "a-long-password\n" }),
    place: /cwp_compliance_policy_set\.p/,
    cause: /begins or ends with a blank or a line break/,
    next: /check it|CONSOLE_PASSWORD/,
  },
  "the word Bearer in a token": {
    command: "scan",
    environment: { CONSOLE_URL: "console", CONSOLE_TOKEN: "Bearer abcdefgh" },
    place: /CONSOLE_TOKEN/,
    cause: /white space/,
    next: /without Bearer in front/,
  },
  "a certificate for the path of one": {
    ...plan({ CONSOLE_CA_FILE: "-----BEGIN CERTIFICATE-----\nMII" }),
    stack: { provider: { cwp: [{ username: "admin", password: "a-long-password" }] } },
    place: /CONSOLE_CA_FILE/,
    cause: /has the PEM text itself/,
    next: /Write the text to a file/,
  },
  "an empty address": {
    command: "plan",
    environment: { CONSOLE_URL: "" },
    place: /at base_url/,
    cause: /CONSOLE_URL is empty/,
    next: /Set base_url/,
  },
  "a name twice in a contract": {
    ...contract("protection.yaml", "version: 1\nrequire: []\nversion: 1\n"),
    place: /protection\.yaml:3/,
    cause: /"version" is there twice/,
    next: /remove one of the two/,
  },
  "two requirements of one name": {
    ...contract(
      "protection.yaml",
      "version: 1\nrequire:\n  - { name: x, checks: { 599: block } }\n  - { name: x, checks: { 41: block } }\n",
    ),
    place: /protection\.yaml:4/,
    cause: /"x" is used twice/,
    next: /rename one of the two/,
  },
  "the version as a text": {
    ...contract("protection.yaml", 'version: "1"\nrequire: []\n'),
    place: /protection\.yaml:1/,
    cause: /"version"/,
    next: /must be 1\./,
  },
  "one effect for a waiver": {
    ...contract(
      "protection.yaml",
      "version: 1\nwaivers:\n  - checks: { 599: alert }\n    owner: a\n    reason: b\n    expires: 2099-01-01\n",
    ),
    place: /protection\.yaml:3/,
    cause: /"599" must be an object/,
    next: /\{ from: block, to: alert \}/,
  },
  "YAML in a file of JSON": {
    ...contract("protection.json", "version: 1\nrequire: []\n"),
    place: /protection\.json:1/,
    cause: /not valid JSON from column 1/,
    next: /correct it there/,
  },
  "a program for a contract": {
    ...contract("main.ts", "const a = {\n"),
    place: /main\.ts:1/,
    cause: /is no contract/,
    next: /name another one with --contract/,
  },
  "settings for a contract": {
    ...contract("package.json", '{ "name": "app", "version": "1.0.0" }'),
    place: /package\.json:1/,
    cause: /is no contract/,
    next: /name another one with --contract/,
  },
  "a misspelled engine": {
    command: "plan --engine embeded",
    place: /--engine/,
    cause: /'embeded' is invalid/,
    next: /Did you mean embedded/,
  },
  "a misspelled backend": {
    command: "plan",
    stack: { terraform: { backend: { locla: {} } } },
    place: /backend\.locla/,
    cause: /has the backend "locla"/,
    next: /Did you mean "local"/,
  },
  "a saved plan beside a stack": {
    command: "apply prod p.plan",
    place: /"p\.plan"/,
    cause: /no stack named/,
    next: /is given alone/,
  },
  "an import without its stack": {
    command: "import cwp_license.a license",
    place: /"cwp_license\.a"/,
    cause: /no stack named/,
    next: /name its stack in front/,
  },
  "a misspelled console to compare": {
    command: "protection diff consle: prod",
    place: /consle:/,
    cause: /is none/,
    next: /a stack, or console:/,
  },
  "a misspelled stack in a list": {
    command: "plan --stacks-from l.txt",
    files: { "l.txt": "prod\nprodx\n" },
    place: /"prodx".*l\.txt/,
    cause: /no stack named/,
    next: /Correct it in l\.txt/,
  },
  "a variable twice in a file": {
    command: "plan --var-file x.tfvars",
    files: { "x.tfvars": 'a = "1"\na = "2"\n' },
    place: /x\.tfvars, line 2/,
    cause: /"a" is set twice/,
    next: /Remove one of the two/,
  },
  "a file of variables in another encoding": {
    command: "plan --var-file x.tfvars",
    files: { "x.tfvars": 'a = "\uFFFD"\n' },
    place: /x\.tfvars, line 1/,
    cause: /another encoding than UTF-8/,
    next: /save it as UTF-8/,
  },
  "a text without quotes in a file of variables": {
    command: "plan --var-file x.tfvars --var CONSOLE_PASSWORD=a",
    files: { "x.tfvars": "CONSOLE_LICENSE_KEY = secret\n" },
    place: /x\.tfvars/,
    cause: /Invalid reference/,
    next: /a text needs quotes/,
  },
  "a file for the folder of records": {
    command: "history main.js",
    files: { "main.js": "" },
    place: /main\.js/,
    cause: /is a file/,
    next: /Name its folder/,
  },
  "a list for the settings": {
    command: "plan",
    files: { "cdktf.json": "[]" },
    place: /cdktf\.json/,
    cause: /must be an object/,
    next: /\{ "app": "npx tsx main\.ts" \}/,
  },
  "an app that is not executable": {
    command: "plan --app ./app.sh",
    files: { "app.sh": "#!/bin/sh\n" },
    place: /"\.\/app\.sh"/,
    cause: /exit code 126/,
    next: /chmod \+x/,
  },
  "an app that is killed": {
    command: "plan --app 'kill -9 $$'",
    place: /"kill -9 \$\$"/,
    cause: /ended by SIGKILL.*was killed/,
    next: /NODE_OPTIONS/,
  },
  "a certificate of a server that is none": {
    command: "simulate --tls-cert main.js -- true",
    files: { "main.js": "" },
    place: /--tls-cert/,
    cause: /no certificate in it/,
    next: /Correct the file/,
  },
  "an argument that no block has": {
    command: "validate",
    stack: resource("a", { zzzzzz: 1 }),
    place: /terraform_data\.a, at zzzzzz/,
    cause: /not expected here/,
    next: /Remove it, or correct its name/,
  },
  "a text for a count": {
    command: "validate",
    stack: resource("a", { count: "x" }),
    place: /terraform_data\.a, at count/,
    cause: /a number is required/,
    next: /Correct the value/,
  },
  "a list for for_each": {
    command: "validate",
    stack: resource("a", { for_each: ["a"] }),
    place: /terraform_data\.a, at for_each/,
    cause: /must be a map, or set of strings/,
    next: /toset/,
  },
  "a reference to itself": {
    command: "validate",
    stack: resource("${terraform_data.a.id}"),
    place: /terraform_data\.a/,
    cause: /may not refer to itself/,
    next: /Remove the reference/,
  },
  "a local value that does not exist": {
    command: "validate",
    stack: resource("${local.x}"),
    place: /terraform_data\.a, at input/,
    cause: /local value with the name "x" has not been declared/,
    next: /Declare it in the app/,
  },
};
