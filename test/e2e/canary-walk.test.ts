import { LONG_TESTS } from "../support/cases";
import { BACKENDS, CanaryWalk, COMMANDS, startRepeating } from "./support/canary-walk";

jest.setTimeout(300_000);

let walk: CanaryWalk;
afterEach(() => walk.close());

/** Without LONG_TESTS: commands that write, and those that print what a server said. */
const SLICE = LONG_TESTS
  ? COMMANDS
  : COMMANDS.filter((one) =>
      /^(?:plan % --out|apply|import|status|doctor|adopt|destroy)/.test(one),
    );

test("no command prints or stores a secret that a console repeats", async () => {
  walk = await CanaryWalk.open("embedded", {});
  for (const command of SLICE) await walk.run(command);
  expect([walk.leaks(), walk.misspelled()]).toEqual([[], []]);
  const printed = [...walk.printed.values()].join("\n");
  // The walk reached what it is for.
  expect(printed).toContain("answered 400");
  expect(printed).toContain("[redacted]");
  expect(printed).toContain("Apply complete!");
  expect(printed).toContain("Destroy complete!");
  expect(printed).toContain("Import successful!");
});

test.each(Object.entries(BACKENDS).filter(([name]) => name !== "local"))(
  "no command prints or stores a secret that the server of a %s state repeats",
  async (name, backend) => {
    const server = await startRepeating();
    walk = await CanaryWalk.open("embedded", backend(server));
    const commands = LONG_TESTS
      ? COMMANDS
      : (["plan %", "force-unlock canceled --force %"] as const);
    for (const command of commands) await walk.run(command);
    server.close();
    expect([walk.leaks(), walk.misspelled()]).toEqual([[], []]);
    // The text of a server of tokens is not printed.
    const reached = name === "azurerm" ? "answered 403" : "[redacted]";
    expect([...walk.printed.values()].join("\n")).toContain(reached);
  },
);
