import type { Mistake } from "./mistake";

const BARE = { command: "plan", environment: { CONSOLE_USERNAME: "admin" } };

/** A contract whose lines follow the version. */
const contract = (...lines: readonly string[]) => ({
  command: "plan",
  files: { "protection.yaml": ["version: 1", ...lines, ""].join("\n") },
});

/** A stack with one resource, whose input is an expression. */
const input = (expression: string, more: object = {}) => ({
  command: "validate",
  stack: { resource: { terraform_data: { a: { input: expression, ...more } } } },
});

/** Mistakes whose messages named no next step, or a wrong one. */
export const MISTAKES_OF_STEPS: Readonly<Record<string, Mistake>> = {
  "a scheme twice": {
    ...BARE,
    environment: { ...BARE.environment, CONSOLE_URL: "https://https://console:8083" },
    place: /CONSOLE_URL sets base_url/,
    cause: /misspelled scheme/,
    next: /Write https:\/\/HOST:PORT/,
  },
  "a text for a scope": {
    ...contract("require:", "  - name: x", "    where: [prod]", "    checks: { 599: block }"),
    place: /protection\.yaml:4/,
    cause: /"where\[0\]" must be/,
    next: /an object/,
  },
  "a waiver of nothing": {
    ...contract(
      "waivers:",
      "  - checks: { 599: { from: alert, to: alert } }",
      "    owner: a",
      "    reason: b",
      "    expires: 2099-01-01",
    ),
    place: /protection\.yaml:3/,
    cause: /waives nothing: from and to are alike/,
    next: /remove it, or correct one/,
  },
  "help for a misspelled command": {
    command: "help aply",
    place: /'aply'/,
    cause: /Unknown command/,
    next: /Did you mean apply/,
  },
  "help for a misspelled command of a group": {
    command: "help state lst",
    place: /'lst'/,
    cause: /Unknown command/,
    next: /Did you mean list/,
  },
  "an option that is required": {
    command: "provider serve",
    place: /--reattach/,
    cause: /not specified/,
    next: /Usage: cdktf-console provider serve/,
  },
  "a plan that is cut": {
    command: "review p.json",
    files: { "p.json": '{"format_version": "1.2", "planned_values": {' },
    place: /p\.json/,
    cause: /begins in line 1 has no end/,
    next: /Print the plan again/,
  },
  "an empty plan": {
    command: "review p.json",
    files: { "p.json": "" },
    place: /p\.json/,
    cause: /file is empty/,
    next: /Print the plan again/,
  },
  "a missing folder of earlier stacks": {
    command: "plan --changed-from nosuch",
    place: /manifest\.json in .*nosuch/,
    cause: /There is no/,
    next: /with --changed-from/,
  },
  "a backend that is not JSON": {
    command: "state migrate --from-backend b.json",
    files: { "b.json": "{" },
    place: /b\.json/,
    cause: /not JSON/,
    next: /correct it/,
  },
  "a type for an address": {
    command: "plan --target cwp_license",
    place: /"cwp_license"/,
    cause: /neither the address of a resource/,
    next: /Did you mean "app\/license"/,
  },
  "a template without its end": {
    ...input("${upper("),
    place: /terraform_data\.a, at input/,
    cause: /closing|argument|parenthes|expression/i,
    next: /Correct the expression/,
  },
  "a function without its arguments": {
    ...input("${upper()}"),
    place: /terraform_data\.a, at input/,
    cause: /at least 1 argument/,
    next: /Correct the expression/,
  },
  "an alias without a provider": {
    ...input("x", { provider: "terraform.other" }),
    place: /terraform_data\.a/,
    cause: /no provider block with that alias/,
    next: /Declare that block/,
  },
  "a type like no other": {
    command: "validate",
    stack: { resource: { cwp_zzzzzzzzzzzz: { a: {} } } },
    place: /cwp_zzzzzzzzzzzz\.a/,
    cause: /does not support resource type/,
    next: /Correct the type/,
  },
};
