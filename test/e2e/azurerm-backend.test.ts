import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { ACCESS, Azurite, describeWithAzurite } from "../object-stores/azurite";
import { startCli } from "./support/bundle";
import { continuesAfterKills, remoteTenant, succeed } from "./support/remote-tenant";
import { azurermPlace } from "./support/state-places";

// States in Azure Storage: a run on another machine continues from them.

jest.setTimeout(600_000);

describeWithAzurite("states in Azure Storage", () => {
  let azurite: Azurite;
  beforeAll(async () => {
    azurite = await Azurite.open();
  });
  afterAll(() => azurite.close());
  const place = () => azurermPlace(azurite);

  // A destroy is killed with the backend s3, by the same code.
  test("a run on another machine continues after a kill of an apply after any write", () =>
    continuesAfterKills(place(), "apply --auto-approve"));

  test("an apply survives lost answers and broken connections", async () => {
    const tenant = await remoteTenant(place());
    let count = 0;
    // Every second request fails once, each in another way.
    const faults = ["unanswered", "lost", "broken", 503, "unanswered"] as const;
    azurite.relay.fault = () =>
      ++count % 2 === 0 ? faults[(count / 2) % faults.length] : undefined;
    await succeed(tenant, "apply --auto-approve");
    azurite.relay.fault = () => undefined;
    await succeed(tenant, "plan --detailed-exitcode");
    expect(await azurite.holder(tenant.stateName)).toBeUndefined();
    await tenant.close();
  });

  test("is read by another stack, moved to a file, and shows no key", async () => {
    const directory = temporaryFolder();
    const { azurerm } = azurite.backend("outputs.tfstate");
    const output = { name: { value: "blue" } };
    const resource = { terraform_data: { kept: {} } };
    const up = { terraform: { backend: { azurerm } }, output, resource };
    const data = { terraform_remote_state: { up: { backend: "azurerm", config: azurerm } } };
    const value = "${data.terraform_remote_state.up.outputs.name}";
    const down = { data, output: { copy: { value } } };
    writeStacks(directory, { up, down });
    const printed: string[] = [];
    const run = async (line: string) => {
      const argv = [...line.split(" "), "--out-dir", "cdktf.out"];
      const environment = { ...ACCESS, ...azurite.way };
      const { code, out, err } = await startCli(argv, { cwd: directory, environment }).ended;
      printed.push(out, err);
      expect({ line, code, err }).toEqual({ line, code: 0, err: "" });
      return out;
    };
    await run("apply up --auto-approve");
    expect(await run("apply down --auto-approve")).toContain('copy = "blue"');
    writeStacks(directory, { up: { output, resource } });
    await run("state migrate up");
    expect(await azurite.text("outputs.tfstate")).toBe("");
    expect(await azurite.text("outputs.tfstate.moved-1")).toContain("blue");
    expect(await run("state pull --stack up")).toContain("blue");
    expect(printed.join("")).not.toContain(ACCESS.ARM_ACCESS_KEY);
  });
});
