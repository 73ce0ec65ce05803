import { LONG_TESTS } from "../support/cases";
import { describeWithTerraform } from "../support/terraform";
import { BACKENDS, CanaryWalk, COMMANDS, startRepeating } from "./support/canary-walk";

jest.setTimeout(600_000);

describeWithTerraform("with Terraform", () => {
  let walk: CanaryWalk;
  afterEach(() => walk.close());

  const ofEngine = COMMANDS.filter((one) => one.includes("%"));
  const SLICE = LONG_TESTS
    ? ofEngine
    : ofEngine.filter((one) => /^(?:plan % --out|apply|destroy)/.test(one));

  test("no command prints or stores a secret that a console repeats", async () => {
    walk = await CanaryWalk.open("terraform", {});
    for (const command of SLICE) await walk.run(command);
    expect(walk.leaks()).toEqual([]);
    expect(walk.openFiles()).toEqual([]);
    const printed = [...walk.printed.values()].join("\n");
    expect(printed).toContain("answered 400");
    expect(printed).toContain("[redacted]");
    expect(printed).toContain("Destroy complete!");
  });

  const servers = Object.entries(BACKENDS).filter(([name]) =>
    LONG_TESTS ? name !== "local" : name === "http",
  );
  test.each(servers)(
    "no command prints or stores a secret that the server of a %s state repeats",
    async (_, backend) => {
      const server = await startRepeating();
      walk = await CanaryWalk.open("terraform", backend(server));
      for (const command of LONG_TESTS ? ofEngine : ["plan %"]) await walk.run(command);
      server.close();
      expect(walk.leaks()).toEqual([]);
    },
  );
});
