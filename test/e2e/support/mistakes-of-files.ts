import type { Mistake } from "./mistake";

const OPTIONS: Mistake["environment"] = { CONSOLE_URL: "console", CONSOLE_USERNAME: "admin" };

/** A contract of these lines, which a plan reads. */
const contract = (...lines: readonly string[]) => ({
  command: "plan",
  files: { "protection.yaml": lines.map((line) => `${line}\n`).join("") },
});

/** Mistakes in files, folders, addresses and options that are not read as they were meant. */
export const MISTAKES_OF_FILES: Readonly<Record<string, Mistake>> = {
  "a file for the folder of stacks": {
    command: "plan --out-dir main.js",
    files: { "main.js": "" },
    place: /main\.js/,
    cause: /not a directory|no manifest\.json/,
    next: /Synthesize|Correct the path/,
  },
  "a file where the app writes its stacks": {
    command: "plan --app 'node app.js'",
    files: { "cdktf.json": '{ "output": "out" }', "app.js": "", out: "" },
    place: /out\/manifest\.json/,
    cause: /not a directory/,
    next: /"output" in cdktf\.json/,
  },
  "a folder that the app cannot write to": {
    command: "plan --app 'node app.js'",
    files: { "app.js": 'require("fs").mkdirSync(`${process.env.CDKTF_OUTDIR}/a/b`);\n' },
    place: /cdktf\.out\/a\/b/,
    cause: /no such file or directory/,
    next: /Correct the path\. "output" in cdktf\.json/,
  },
  "an address that no shell has filled in": {
    command: "plan",
    environment: { ...OPTIONS, CONSOLE_URL: "${CONSOLE_URL}" },
    place: /CONSOLE_URL sets base_url/,
    cause: /neither a host name nor a URL/,
    next: /Write https:\/\/HOST:PORT/,
  },
  "settings in another encoding": {
    command: "plan",
    files: { "cdktf.json": '{ "app": "a\uFFFD' },
    place: /cdktf\.json, line 1/,
    cause: /another encoding than UTF-8/,
    next: /save it as UTF-8/,
  },
  "a folder for the data of a console that cannot be made": {
    command: "simulate --data main.js/data -- true",
    files: { "main.js": "" },
    place: /main\.js\/data/,
    cause: /not a directory/,
    next: /Correct the path/,
  },
  "a run log below a file": {
    command: "plan --rollback main.js/run.jsonl",
    files: { "main.js": "" },
    place: /main\.js\/run\.jsonl/,
    cause: /not a directory/,
    next: /Correct the path/,
  },
  "a folder for a list": {
    command: "plan --stacks-from .",
    place: /\.: is/,
    cause: /a directory/,
    next: /Name a file/,
  },
  "a folder for an authority": {
    command: "plan",
    environment: { ...OPTIONS, CONSOLE_CA_FILE: "." },
    place: /CONSOLE_CA_FILE/,
    cause: /is a directory/,
    next: /Name a file/,
  },
  "a state that is not where it was": {
    command: "state migrate --from-file old.tfstate",
    place: /old\.tfstate/,
    cause: /no state/,
    next: /Name the file/,
  },
  "an empty contract": {
    ...contract(),
    place: /protection\.yaml:1/,
    cause: /is empty/,
    next: /begin it with version: 1/,
  },
  "a contract in another encoding": {
    ...contract("version: 1 # \uFFFD"),
    place: /protection\.yaml:1/,
    cause: /another encoding/,
    next: /save it as UTF-8/,
  },
  "a misspelled field of a scope": {
    ...contract(
      "version: 1",
      "require:",
      "  - name: a",
      "    where: { namespace: [x] }",
      "    checks: { 599: block }",
    ),
    place: /protection\.yaml:4/,
    cause: /"namespace" is not expected/,
    next: /Did you mean "namespaces"/,
  },
  "a name for the ID of a check": {
    ...contract("version: 1", "require:", "  - name: a", "    checks: { root: block }"),
    place: /protection\.yaml:4/,
    cause: /"root"/,
    next: /ID of a check, such as 599/,
  },
  "a password in an address": {
    command: "plan",
    environment: { ...OPTIONS, CONSOLE_URL: "https://admin:secret@console" },
    place: /CONSOLE_URL sets base_url/,
    cause: /contains a username or a password/,
    next: /set username and password .*CONSOLE_PASSWORD/,
  },
  "a port that does not exist": {
    command: "plan",
    environment: { ...OPTIONS, CONSOLE_URL: "https://console:99999" },
    place: /CONSOLE_URL sets base_url/,
    cause: /port is above 65535/,
    next: /Write https:\/\/HOST:PORT/,
  },
  "an option of another command": {
    command: "plan --auto-approved-by me",
    place: /'--auto-approved-by'/,
    cause: /Unknown option/,
    next: /--auto-approve|lists the options/,
  },
  "an option like no other": {
    command: "plan --zzzzzz",
    place: /'--zzzzzz'/,
    cause: /Unknown option/,
    next: /plan --help-all" lists the options/,
  },
  "an argument too many": {
    command: "adopt folder",
    place: /'adopt'/,
    cause: /Too many arguments/,
    next: /Usage: cdktf-console adopt/,
  },
  "a program for a saved plan": {
    command: "apply main.js",
    files: { "main.js": "const app = 1;\n" },
    place: /"main\.js"/,
    cause: /not a plan that this program saved/,
    next: /plan --out FILE/,
  },
  "a digest that is none": {
    command: "plan --fail-on weaker --allow-weaker prod@abc",
    place: /--allow-weaker "prod@abc"/,
    cause: /matches no stack/,
    next: /12 hexadecimal digits/,
  },
  "a command of simulate that does not exist": {
    command: "simulate -- nosuchprogram",
    place: /nosuchprogram/,
    cause: /cannot be started.*no such file/,
    next: /Correct the command behind --/,
  },
  "a file for the data of simulate": {
    command: "simulate --data main.js -- true",
    files: { "main.js": "" },
    place: /main\.js/,
    cause: /not a directory/,
    next: /Correct the path/,
  },
  "an authority of clients that is none": {
    command: "simulate --client-ca main.js -- true",
    files: { "main.js": "" },
    place: /--client-ca/,
    cause: /no certificate in PEM/,
    next: /Give its PEM text/,
  },
};
