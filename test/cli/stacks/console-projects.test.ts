import { temporaryFolder, writeStacks } from "../stack-files";
import { TestTerminal } from "../test-terminal";

const URL = "https://console.example.com:8083";

async function consolesOf(
  blocks: Readonly<Record<string, object>>,
  environment: Readonly<Record<string, string>> = {},
) {
  const directory = temporaryFolder();
  const stacks = Object.entries(blocks).map(([name, block]) => [
    name,
    { provider: { cwp: [block] } },
  ]);
  writeStacks(directory, Object.fromEntries(stacks) as Parameters<typeof writeStacks>[1]);
  const terminal = new TestTerminal({ directory, environment });
  await terminal.run("stacks", "--out-dir", "cdktf.out", "--json");
  const listed = JSON.parse(terminal.out) as { stacks: { name: string; console: string }[] };
  return Object.fromEntries(listed.stacks.map(({ name, console }) => [name, console]));
}

test("projects of one console are shown apart, as in reviews", async () => {
  const shown = await consolesOf({
    first: { base_url: URL, project: "Central Console" },
    second: { base_url: URL, project: "team a" },
    third: { base_url: "console.example.com", project: "b" },
  });
  expect(shown).toEqual({
    first: URL,
    second: `${URL}?project=team%20a`,
    third: `${URL}?project=b`,
  });
});

test("the environment names the address and the project that a block lacks", async () => {
  const environment = { CONSOLE_URL: URL, CONSOLE_PROJECT: " eu " };
  const shown = await consolesOf({ own: { project: "us" }, none: {} }, environment);
  expect(shown).toEqual({ own: `${URL}?project=us`, none: `${URL}?project=eu` });
});

test("an address that is an expression is shown as it is", async () => {
  const shown = await consolesOf({ one: { base_url: "${var.url}", project: "us" } });
  expect(shown).toEqual({ one: "${var.url}" });
});
