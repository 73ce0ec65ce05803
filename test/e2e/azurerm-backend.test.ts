import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { LONG_TESTS } from "../support/cases";
import { ACCESS, Azurite, describeWithAzurite } from "../object-stores/azurite";
import { tokenOf } from "../object-stores/entra";
import { startCli } from "./support/bundle";
import { expectMovedInSpiteOfKills } from "./support/killed-migration";
import { remoteTenant, succeed } from "./support/remote-tenant";
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

  if (LONG_TESTS) {
    test("runs continue after kills at ever later requests for their state", async () => {
      const tenant = await remoteTenant(place());
      const before = tenant.policyNames;
      const { stateName } = tenant;
      let command: "apply" | "destroy" = "apply";
      for (let kills = 0, request = 1; kills < 14; request = (request % 12) + 1) {
        const moment = azurite.relay.at(azurite.relay.requests.length + request);
        const running = tenant.start(`${command} --auto-approve`);
        const killed = moment.then(() => running.child.kill("SIGKILL"));
        await Promise.race([running.ended, killed]);
        const { signal, code, err } = await running.ended;
        if (signal === null) {
          // Nothing was left to do.
          expect({ command, code, err }).toMatchObject({ code: 0, err: "" });
          command = command === "apply" ? "destroy" : "apply";
          continue;
        }
        kills++;
        // The guide names `az storage blob lease break`, which sends this.
        const end = { "x-ms-lease-action": "break", "x-ms-lease-break-period": "0" };
        await azurite.send("PUT", `/${stateName}?comp=lease`, end);
      }
      await succeed(tenant, "apply --auto-approve");
      await succeed(tenant, "plan --detailed-exitcode");
      await succeed(tenant, "destroy --auto-approve");
      expect(tenant.policyNames).toEqual(before);
      expect(await azurite.json(stateName)).toMatchObject({ resources: [] });
      await tenant.close();
    });

    test("states move there and back, and are equal in one place, after 20 kills", () =>
      expectMovedInSpiteOfKills(place(), azurite.relay, {
        stacks: 16,
        kills: 10,
        step: 5,
        kept: (name) => azurite.text(`${name}.moved-1`),
      }));
  }

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
    const run = async (line: string, access: Record<string, string> = ACCESS) => {
      const argv = [...line.split(" "), "--out-dir", "cdktf.out"];
      const environment = { ...access, ...azurite.way };
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
    // Azure's library starts the Azure CLI.
    const token = tokenOf("https://storage.azure.com");
    const expires_on = Math.floor(Date.now() / 1000) + 3600;
    const answer = JSON.stringify({ accessToken: token, expires_on, tokenType: "Bearer" });
    const script = `#!/bin/sh\necho "$@" > ${directory}/asked\necho '${answer}'\n`;
    writeFileSync(join(directory, "az"), script, { mode: 0o755 });
    const PATH = `${directory}:${process.env.PATH}`;
    writeStacks(directory, { up });
    expect(await run("state pull", { PATH, ARM_USE_AZUREAD: "true" })).toBe("");
    expect(azurite.relay.headers.at(-1)?.authorization).toBe(`Bearer ${token}`);
    expect(readFileSync(join(directory, "asked"), "utf8")).toMatch(
      /account get-access-token .*https:\/\/storage\.azure\.com/,
    );
    expect(printed.join("")).not.toContain(ACCESS.ARM_ACCESS_KEY);
  });
});
