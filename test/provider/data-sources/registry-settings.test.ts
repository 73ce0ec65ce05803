import { RELEASES } from "../../../src/api/release";
import { ready } from "../support/consoles";
import { stateOf } from "./read";

const TYPE = "cwp_registry_settings";

test.each(RELEASES)("release %s: reads the settings without credentials", async (release) => {
  const { console, connection } = await ready({ release });
  const stored = {
    ...{ registry: "r.example", repository: "app", tag: "v*", cap: 5, os: "linux" },
    ...{ hostname: "node-1", namespace: "ns", useAWSRole: true, version: "2", scanners: 3 },
    ...{ credentialID: "stored", roleArn: "arn:x", versionPattern: "v" },
  };
  const inline = {
    ...{ registry: "", repository: "library/*", tag: "" },
    credential: {
      type: "aws",
      accountID: "canary-account",
      secret: { encrypted: "canary-secret" },
    },
  };
  await console.load({ registry: release === "20.04" ? [stored, inline] : [stored] });
  const state = await stateOf(connection, TYPE);
  expect(JSON.stringify(state)).not.toContain("canary");
  expect(state.specifications).toEqual([
    {
      ...{ registry: "r.example", repository: "app", tag: "v*", cap: 5, os: "linux" },
      ...{ hostname: "node-1", namespace: "ns", use_aws_role: true, version: "2", scanners: 3 },
      ...{ credential_id: "stored", role_arn: "arn:x", version_pattern: "v" },
      has_inline_credential: false,
    },
    ...(release === "20.04"
      ? [
          {
            // The console returns unset members as empty.
            ...{ registry: "", repository: "library/*", tag: "", cap: 0, os: "" },
            ...{ hostname: "", namespace: "", use_aws_role: false, version: "" },
            ...{ scanners: 0, credential_id: null, role_arn: "", version_pattern: "" },
            has_inline_credential: true,
          },
        ]
      : []),
  ]);
});
