import { LONG_TESTS } from "../support/cases";
import { describeWithTofu, putTofuOnPath } from "../opentofu/install";
import { describeWithTerraform } from "../support/terraform";
import { BACKENDS, CanaryWalk, COMMANDS, startRepeating, type Engine } from "./support/canary-walk";

jest.setTimeout(600_000);

/** Without LONG_TESTS OpenTofu, which shares this code, walks shortly. */
describeWithTerraform("with Terraform", () => {
  describeEngine("terraform", /^(?:plan % --out|apply % --auto-approve --run|destroy)/);
});

describeWithTofu("with OpenTofu", () => {
  putTofuOnPath();
  describeEngine("tofu", /^plan % --out/);
});

function describeEngine(engine: Engine, inSlice: RegExp): void {
  let walk: CanaryWalk;
  afterEach(() => walk.close());

  const ofEngine = COMMANDS.filter((one) => one.includes("%"));
  const SLICE = LONG_TESTS ? ofEngine : ofEngine.filter((one) => inSlice.test(one));

  test("no command prints or stores a secret that a console repeats", async () => {
    walk = await CanaryWalk.open(engine, {});
    for (const command of SLICE) await walk.run(command);
    expect([walk.leaks(), walk.misspelled(), walk.openFiles()]).toEqual([[], [], []]);
    const printed = [...walk.printed.values()].join("\n");
    expect(printed).toContain("Plan: ");
    if (!SLICE.some((one) => one.startsWith("apply"))) return;
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
      walk = await CanaryWalk.open(engine, backend(server));
      for (const command of LONG_TESTS ? ofEngine : ["plan %"]) await walk.run(command);
      server.close();
      expect([walk.leaks(), walk.misspelled()]).toEqual([[], []]);
    },
  );
}
