import { StateServer } from "../support/state-server";
import { describeWithTerraform } from "../support/terraform";
import { TERRAFORM } from "./support/engines";
import { continuesAfterKills, remoteTenant } from "./support/remote-tenant";
import { httpPlace } from "./support/state-places";

// States on a server: both engines share them, and a run on another machine continues from them.

let server: StateServer;
beforeEach(async () => {
  server = await StateServer.open();
});
afterEach(() => server.close());

test.each(["apply --auto-approve", "destroy --auto-approve"] as const)(
  "a run on another machine continues after a kill of %s at any request",
  (command) => continuesAfterKills(httpPlace(server), command, ["before", "after"]),
);

describeWithTerraform("one state on a server for both engines", () => {
  test("each excludes the other", async () => {
    const tenant = await remoteTenant(httpPlace(server));
    // Its holder is described by our engine alone: Terraform 1.11 shows its own run instead.
    const lock = { ID: "11111111-2222-3333-4444-555555555555", Operation: "x", Who: "ann@build" };
    await fetch(server.url(tenant.stateName), { method: "LOCK", body: JSON.stringify(lock) });
    for (const engine of [TERRAFORM, "--engine embedded"]) {
      const { code, err } = await tenant.run(`plan ${engine}`);
      expect(code).toBe(1);
      expect(err).toMatch(/state lock|State is locked/);
      expect(err).toContain(lock.ID);
    }
    await tenant.close();
  });
});
