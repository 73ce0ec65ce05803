import { ConsoleProvider, ServerlessScan, type ServerlessScanProps } from "../../src";
import { findings, synthStack } from "./synth";

function synth(props: ServerlessScanProps) {
  return synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    new ServerlessScan(stack, "functions", props);
  });
}

test("converts the props of scopes", () => {
  const { resource } = synth({
    onDestroy: "clear",
    scopes: [
      { credentialId: "aws", provider: "aws", region: "eu-west-1", cap: 5, enabled: true },
      { credentialIds: ["a", "b"], extraJson: '{"scanLayers":true}' },
    ],
  });
  expect(resource.cwp_serverless_scan).toEqual({
    functions: {
      on_destroy: "clear",
      scopes: [
        { credential_id: "aws", provider: "aws", region: "eu-west-1", cap: 5, enabled: true },
        { credential_ids: ["a", "b"], extra_json: '{"scanLayers":true}' },
      ],
    },
  });
});

test("refuses at synth what no release accepts, with the names of the props", () => {
  const faulty = () =>
    synth({ scopes: [{ credentialId: "a" }, { credentialIds: ["a"], cap: -1 }] });
  expect(findings(faulty)).toEqual([
    expect.stringContaining("[demo/functions] scopes[1].cap: Invalid attribute value."),
    expect.stringContaining("[demo/functions] scopes[1]: Duplicate scope."),
  ]);
  expect(findings(() => synth({ scopes: [{ credentialId: "a", credentialIds: ["b"] }] }))).toEqual([
    expect.stringContaining("Only one of credentialId and credentialIds can be set."),
  ]);
});
