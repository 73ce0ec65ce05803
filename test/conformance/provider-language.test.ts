import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { consoleBlock, policy, stackOf } from "./support/stacks";

const SET = "cwp_compliance_policy_set";
const exported = (name: string) =>
  JSON.stringify([{ name, condition: { vulnerabilities: [{ id: 41, block: true }] } }]);

/** Policies of a console that is configured with a token of the ephemeral resource. */
const byToken = (...names: string[]) =>
  stackOf(
    {
      null_resource: { gate: {} },
      [SET]: {
        all: { provider: "cwp.token", policies: names.map((name) => policy(name)) },
      },
    },
    {
      provider: {
        cwp: [
          consoleBlock(),
          {
            ...consoleBlock(1, { alias: "token", token: "${ephemeral.cwp_token.one.token}" }),
            username: null,
            password: null,
          },
        ],
      },
      ephemeral: {
        cwp_token: { one: {}, late: { triggers: { gate: "${null_resource.gate.id}" } } },
      },
    },
  );
const byFunctions = (text: string) =>
  stackOf(
    {
      null_resource: { text: { triggers: { text } } },
      [SET]: {
        all: {
          policies: "${provider::cwp::policies_from_json(null_resource.text.triggers.text)}",
        },
      },
    },
    {
      output: {
        written: { value: `\${provider::cwp::policies_to_json(${SET}.all.policies)}` },
      },
    },
  );

describeWithTerraform(
  "both engines support functions and ephemeral resources of a provider",
  () => {
    conforms("ephemeral resources", [
      {
        does: "opens a token for the configuration of another provider",
        stack: byToken("First"),
        plans: [`${SET}.all create`, "null_resource.gate create"],
      },
      { does: "opens it again", stack: byToken("Second"), plans: [`${SET}.all update`] },
    ]);

    conforms("functions", [
      {
        does: "reads and writes policies",
        stack: byFunctions(exported("First")),
        plans: [`${SET}.all create`, "null_resource.text create", "output.written create"],
      },
      {
        does: "reads another export",
        stack: byFunctions(exported("Second")),
        plans: [`${SET}.all update`, "null_resource.text delete create", "output.written update"],
      },
    ]);
  },
);
