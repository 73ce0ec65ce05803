import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { compliancePolicySet } from "../../src/provider/resources/compliance-policy-set";
import { TestTerminal } from "../cli/test-terminal";

const FOLDER = join(__dirname, "../../examples/workflows");
const workflows = readdirSync(FOLDER).filter((file) => /\.ya?ml$/.test(file));
const read = (file: string) => readFileSync(join(FOLDER, file), "utf8");

/** Every text of a document that calls our command, as the words behind its name. */
function commandsIn(value: unknown): string[][] {
  if (typeof value === "string") {
    return [...value.matchAll(/npx cdktf-console ([^\n>|&]+)/g)].map(([, words = ""]) =>
      words.trim().split(/\s+/),
    );
  }
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(commandsIn)
    : [];
}

describe.each(workflows)("%s", (file) => {
  const commands = commandsIn(parse(read(file)));

  test("plans, shows, and applies what was planned", () => {
    expect(new Set(commands.map(([command]) => command))).toEqual(
      new Set(["plan", "show", "apply"]),
    );
  });

  test.each(commands.map((words) => [words.join(" "), words] as const))(
    "%s: there is such a command, with these options",
    async (_, [command = "", ...words]) => {
      const terminal = new TestTerminal({ directory: FOLDER });
      expect(await terminal.run(command, "--help")).toBe(0);
      for (const option of words.filter((word) => word.startsWith("--"))) {
        expect(terminal.out).toContain(`  ${option} `);
      }
    },
  );

  test("holds no secret: each comes from where the service keeps it", () => {
    expect(read(file)).not.toMatch(/(PASSWORD|TOKEN): (?!\$)/);
  });
});

test("the conftest policy reads members that a plan has", () => {
  const text = readFileSync(join(FOLDER, "policy/weakening.rego"), "utf8");
  expect(text).toContain(`change.type == "${compliancePolicySet.type}"`);
  const { type } = compliancePolicySet.attributes.policies ?? {};
  const members =
    type && "element" in type && "attributes" in type.element
      ? Object.keys(type.element.attributes)
      : [];
  for (const member of ["name", "disabled", "checks", "resources"]) {
    expect(members).toContain(member);
    expect(text).toMatch(new RegExp(`(before|after|policy)\\.${member}\\b`));
  }
});
