import { SECRETS } from "../cli/stack-files";
import { Workspace } from "./support/workspace";

/** Functions and ephemeral resources of a provider. */
let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.open({
    signedUp: { username: "admin", password: SECRETS.TF_VAR_CONSOLE_PASSWORD },
    licensed: true,
  });
});
afterEach(() => workspace.close());

const SET = "cwp_compliance_policy_set";

test("configures policies from an exported file", async () => {
  const rules = [{ name: "Exported", condition: { vulnerabilities: [{ id: 41, block: true }] } }];
  workspace.file("policies.json", JSON.stringify({ rules, policyType: "containerCompliance" }));
  const path = `${workspace.directory}/policies.json`;
  workspace.write(
    workspace.stackOf({
      [SET]: {
        policies: { policies: `\${provider::cwp::policies_from_json(file("${path}"))}` },
      },
    }),
  );
  await workspace.apply();
  expect(workspace.console.policies().map(({ name }) => name)).toEqual(["Exported"]);
  expect((await workspace.run("plan --detailed-exitcode")).code).toBe(0);
});

test("requests a token when it is used, and stores it in no file", async () => {
  const stack = workspace.stackOf({
    [SET]: { policies: { policies: [{ name: "One", checks: {} }], provider: "cwp.token" } },
  });
  const [password] = (stack.provider as { cwp: object[] }).cwp;
  workspace.write({
    ...stack,
    provider: {
      cwp: [
        password,
        {
          ...password,
          username: null,
          password: null,
          alias: "token",
          token: "${ephemeral.cwp_token.t.token}",
        },
      ],
    },
    ephemeral: { cwp_token: { t: {} } },
  });
  const { out } = await workspace.apply();
  expect(out).toContain("ephemeral.cwp_token.t: Opening...\n");
  expect(out).toContain("ephemeral.cwp_token.t: Closing complete after 0s\n");
  expect(workspace.console.policies().map(({ name }) => name)).toEqual(["One"]);
  expect(workspace.state()).not.toMatch(/"type": "cwp_token"|eyJ[\w-]+\.[\w-]+\./);
  expect((await workspace.run("plan --detailed-exitcode")).code).toBe(0);
});
