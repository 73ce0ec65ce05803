import { childEnvironment } from "../../src/cli/child-environment";

it("leaves out what the ephemeral variables of the run are read from", () => {
  const environment = {
    PATH: "/bin",
    PASSWORD: "a",
    TF_VAR_PASSWORD: "b",
    PASSWORD_FILE: "c",
    TF_VAR_REGION: "d",
  };
  expect(childEnvironment(environment, new Set(["PASSWORD", "TOKEN"]))).toEqual({
    PATH: "/bin",
    PASSWORD_FILE: "c",
    TF_VAR_REGION: "d",
  });
  expect(childEnvironment(environment, new Set())).toEqual(environment);
});
