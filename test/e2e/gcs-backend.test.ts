import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "../cli/stack-files";
import { describeWithFakeGcs, FakeGcs } from "../object-stores/fake-gcs";
import { remoteTenant, succeed } from "./support/remote-tenant";
import { gcsPlace } from "./support/state-places";

jest.setTimeout(600_000);

describeWithFakeGcs("states in Google Cloud Storage", () => {
  let gcs: FakeGcs;
  beforeAll(async () => {
    gcs = await FakeGcs.open();
  });
  afterAll(() => gcs.close());

  test("signs in by workload identity federation, as Google's library does", async () => {
    const asked: string[] = [];
    const tokens = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ access_token: "issued", expires_in: 3600 }));
    });
    await new Promise<void>((resolve) => tokens.listen(0, "127.0.0.1", resolve));
    const { port } = tokens.address() as AddressInfo;
    const [file, subject] = [join(temporaryFolder(), "key.json"), join(temporaryFolder(), "token")];
    const key = {
      type: "external_account",
      audience:
        "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/ci",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: `http://127.0.0.1:${port}/token`,
      credential_source: { file: subject },
    };
    writeFileSync(file, JSON.stringify(key));
    writeFileSync(subject, "token-of-ci");
    const tenant = await remoteTenant(gcsPlace(gcs));
    tenant.environment = { ...tenant.environment, GOOGLE_CREDENTIALS: file };
    delete tenant.environment.GOOGLE_OAUTH_ACCESS_TOKEN;
    await succeed(tenant, "apply --auto-approve");
    await tenant.close();
    expect(gcs.relay.headers.at(-1)).toMatchObject({ authorization: "Bearer issued" });
    tokens.closeAllConnections();
    await new Promise((resolve) => tokens.close(resolve));
    expect(asked).toEqual(["/token"]);
  });
});
