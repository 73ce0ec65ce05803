import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "../cli/stack-files";
import { describeWithFakeGcs, FakeGcs, TOKEN } from "../object-stores/fake-gcs";
import { describeWithTerraform } from "../support/terraform";
import { TERRAFORM } from "./support/engines";
import { synthesizeQuickstart } from "./support/synthesized";
import { Tenant } from "./support/tenant";

// States in Google Cloud Storage: both engines share them and exclude each other.

jest.setTimeout(600_000);

describeWithFakeGcs("states in Google Cloud Storage", () => {
  describeWithTerraform("one state for both engines", () => {
    const quickstart = synthesizeQuickstart();
    let gcs: FakeGcs;
    beforeAll(async () => {
      gcs = await FakeGcs.open();
    });
    afterAll(() => gcs.close());

    let opened = 0;

    /** A new console whose stack keeps its states under a separate prefix. */
    async function remote(): Promise<Tenant & { readonly prefix: string }> {
      const tenant = await Tenant.open(quickstart);
      const prefix = `teams/${++opened}`;
      const file = join(tenant.outDir, "stacks", "quickstart", "cdk.tf.json");
      const stack = JSON.parse(readFileSync(file, "utf8")) as { terraform: object };
      const terraform = { ...stack.terraform, backend: gcs.backend(prefix) };
      writeFileSync(file, JSON.stringify({ ...stack, terraform }));
      tenant.environment = { ...tenant.environment, ...TOKEN };
      return Object.assign(tenant, { prefix });
    }

    async function succeed(tenant: Tenant, command: string): Promise<void> {
      const { code, err } = await tenant.run(command);
      expect({ command, code, err }).toEqual({ command, code: 0, err: "" });
    }

    test.each(["default", "blue"])(
      "each finds nothing to do after the other in workspace %s",
      async (workspace) => {
        const tenant = await remote();
        tenant.environment = { ...tenant.environment, TF_WORKSPACE: workspace };
        await succeed(tenant, "apply --auto-approve");
        await succeed(tenant, `plan --detailed-exitcode ${TERRAFORM}`);
        await succeed(tenant, `destroy --auto-approve ${TERRAFORM}`);
        await succeed(tenant, `apply --auto-approve ${TERRAFORM}`);
        await succeed(tenant, "plan --detailed-exitcode --engine embedded");
        await succeed(tenant, "destroy --auto-approve");
        const state = await gcs.json(`${tenant.prefix}/${workspace}.tfstate`);
        expect(state?.resources).toEqual([]);
        await tenant.close();
      },
    );

    test.each([
      ["embedded", "--engine embedded", TERRAFORM],
      ["terraform", TERRAFORM, "--engine embedded"],
    ])("a run of the %s engine excludes the other", async (_, one, other) => {
      const tenant = await remote();
      const handle = tenant.console.handle.bind(tenant.console);
      const outcomes: { code: number | null; err: string }[] = [];
      let asked = false;
      tenant.console.handle = async (request) => {
        const isWrite = request.method !== "GET" && !request.path.includes("authenticate");
        if (isWrite && !asked) {
          asked = true;
          outcomes.push(await tenant.run(`apply --auto-approve ${other}`));
        }
        return handle(request);
      };
      await succeed(tenant, `apply --auto-approve ${one}`);
      expect(outcomes).toHaveLength(1);
      expect(outcomes[0]?.code).toBe(1);
      expect(outcomes[0]?.err).toMatch(/State is locked|tflock" failed: .*conditionNotMet/);
      await succeed(tenant, "plan --detailed-exitcode");
      await tenant.close();
    });

    test("signs in by workload identity federation, as Google's library does", async () => {
      const asked: string[] = [];
      const tokens = createServer((request, response) => {
        asked.push(request.url ?? "");
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ access_token: "issued", expires_in: 3600 }));
      });
      await new Promise<void>((resolve) => tokens.listen(0, "127.0.0.1", resolve));
      const { port } = tokens.address() as AddressInfo;
      const [file, subject] = [
        join(temporaryFolder(), "key.json"),
        join(temporaryFolder(), "token"),
      ];
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
      const tenant = await remote();
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
});
