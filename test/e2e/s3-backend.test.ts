import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { describeWithMoto, KEYS, Moto } from "../object-stores/moto";
import { startCli } from "./support/bundle";
import { continuesAfterKills, remoteTenant, succeed } from "./support/remote-tenant";
import { s3Place } from "./support/state-places";

// States in S3: a run on another machine continues from them.

jest.setTimeout(600_000);

describeWithMoto("states in S3", () => {
  let moto: Moto;
  beforeAll(async () => {
    moto = await Moto.open();
  });
  afterAll(() => moto.close());

  const place = () => s3Place(moto);

  test.each(["apply --auto-approve", "destroy --auto-approve"] as const)(
    "a run on another machine continues after a kill of %s after any write",
    (command) => continuesAfterKills(place(), command),
  );

  test("an apply survives lost answers and broken connections", async () => {
    const tenant = await remoteTenant(place());
    let count = 0;
    // Every second request fails once, each in another way.
    const faults = ["unanswered", "lost", "broken", 503, "unanswered"] as const;
    moto.relay.fault = () => (++count % 2 === 0 ? faults[(count / 2) % faults.length] : undefined);
    await succeed(tenant, "apply --auto-approve");
    moto.relay.fault = () => undefined;
    await succeed(tenant, "plan --detailed-exitcode");
    expect(await moto.text(`${tenant.stateName}.tflock`)).toBe("");
    await tenant.close();
  });

  test("is read by another stack, with the backend's own settings", async () => {
    const directory = temporaryFolder();
    const { s3 } = moto.backend("outputs.tfstate");
    const up = { terraform: { backend: { s3 } }, output: { name: { value: "blue" } } };
    const data = { terraform_remote_state: { up: { backend: "s3", config: s3 } } };
    const value = "${data.terraform_remote_state.up.outputs.name}";
    const down = { data, output: { copy: { value } } };
    writeStacks(directory, { up, down });
    const run = (line: string) =>
      startCli([...line.split(" "), "--out-dir", "cdktf.out"], {
        cwd: directory,
        environment: KEYS,
      }).ended;
    expect(await run("apply up --auto-approve")).toMatchObject({ code: 0, err: "" });
    const applied = await run("apply down --auto-approve");
    expect(applied).toMatchObject({ code: 0, err: "" });
    expect(applied.out).toContain('copy = "blue"');
  });
});
