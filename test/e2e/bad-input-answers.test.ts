import { parseFault } from "../../src/simulator";
import { errorsOf } from "./support/diagnostics";
import { Workspace } from "./support/workspace";

// Failed and missing answers of a console during an apply. The error contains the request, the status
// and what to do; completed changes are in the state, the lock and the journal are removed, and the
// next run completes the apply.

let workspace: Workspace;

beforeEach(async () => {
  workspace = await Workspace.open();
  const stack = workspace.stack() as {
    provider: { cwp: Record<string, unknown>[] };
    resource: { cwp_bootstrap: { bootstrap: Record<string, unknown> } };
  };
  Object.assign(stack.provider.cwp[0]!, { max_retries: 1, request_timeout: 2 });
  stack.resource.cwp_bootstrap.bootstrap.wait_timeout = 1;
  workspace.write(stack);
});
afterEach(() => workspace.close());

const BOOTSTRAP = "with cwp_bootstrap.bootstrap (construct app/bootstrap)";
const LICENSE = "with cwp_license.license (construct app/license)";
const POLICIES = "with cwp_compliance_policy_set.policies (construct app/policies)";
const PUT = "PUT https://console/api/v1/policies/compliance/container";
const GET = "GET https://console/api/v1/policies/compliance/container";
const BROKEN =
  "The console, or a proxy in front of it, does not work at the moment. Completed changes are kept. Run this again later.";
const UNREACHABLE =
  "Check that the console is running, and that the provider's base_url, or CONSOLE_URL, is its address.";
const OTHER =
  'Check that the provider\'s base_url, or CONSOLE_URL, is the address of a console, and release, or CONSOLE_RELEASE, its release. If they are, "cdktf-console doctor" shows what else this console answers differently.';

const [B, L, P] = [
  "cwp_bootstrap.bootstrap",
  "cwp_license.license",
  "cwp_compliance_policy_set.policies",
] as const;

interface Case {
  readonly fault: string;
  readonly expected: string;
  /** The addresses in the state after the failed run. */
  readonly stored: readonly string[];
}

test.each<Case>([
  {
    fault: "signUp:status=500,body=html",
    expected: `Sign-up failed | ${BOOTSTRAP} | The console did not answer the sign-up properly, and does not know the user. Apply again. Sign-up: POST https://console/api/v1/signup answered 500 Internal Server Error: Gateway Authentication: POST https://console/api/v1/authenticate answered 401 Unauthorized: username or password is wrong. The console refuses the username and password.`,
    stored: [],
  },
  {
    fault: "authenticate:html,skip=1",
    expected: `Unexpected response from the console | ${BOOTSTRAP} | POST https://console/api/v1/authenticate answered 200 with 118 bytes of text/html; charset=utf-8 that are not JSON. ${OTHER}`,
    stored: [],
  },
  {
    fault: "installLicense:status=503,body=html",
    expected: `Console failed | ${LICENSE} | POST https://console/api/v1/settings/license answered 503 Service Unavailable at the 2nd attempt: Gateway ${BROKEN}`,
    stored: [B],
  },
  {
    fault: "installLicense:status=400",
    expected: `Console refused the request | ${LICENSE} | POST https://console/api/v1/settings/license answered 400 Bad Request: injected fault: 400 Correct what the console names. If it names nothing, its log may have the reason.`,
    stored: [B],
  },
  {
    fault: "installLicense:delay=5000",
    expected: `Console did not respond in time | ${LICENSE} | Time-out at https://console/api/v1/settings/license: the console took too long to answer. Run this again; for a console that is always slow, set the provider's request_timeout.`,
    stored: [B],
  },
  {
    fault: "putCompliancePolicies:status=500,body=empty",
    expected: `Console failed | ${POLICIES} | ${PUT} answered 500 Internal Server Error. ${BROKEN}`,
    stored: [B, L],
  },
  {
    fault: "putCompliancePolicies:status=403,body=html",
    expected: `Console refused the request | ${POLICIES} | ${PUT} answered 403 Forbidden: Gateway The user lacks the permission. Grant it a role that has it, or use another user.`,
    stored: [B, L],
  },
  {
    fault: "putCompliancePolicies:status=429,body=html,retry-after=0",
    expected: `Console refused the request | ${POLICIES} | ${PUT} answered 429 Too Many Requests at the 2nd attempt: Gateway The console limits the rate of requests, and the provider's max_retries allows no further attempt. Completed changes are kept. Remove max_retries, so that requests are sent again as long as the console accepts some.`,
    stored: [B, L],
  },
  {
    fault: "putCompliancePolicies:reset-before",
    expected: `Console is not reachable | ${POLICIES} | https://console/api/v1/policies/compliance/container cannot be reached: the connection was closed before the answer was complete. ${UNREACHABLE}`,
    stored: [B, L],
  },
  {
    fault: "getCompliancePolicies:status=404,body=empty",
    expected: `Console refused the request | ${POLICIES} | ${GET} answered 404 Not Found. Check that the provider's base_url, or CONSOLE_URL, is the address of the console, that it runs the provider's release, and that it has the project, if one is set.`,
    stored: [B, L],
  },
  {
    fault: "getCompliancePolicies:html",
    expected: `Unexpected response from the console | ${POLICIES} | ${GET} answered 200 with 118 bytes of text/html; charset=utf-8 that are not JSON. ${OTHER}`,
    stored: [B, L],
  },
  {
    fault: "getCompliancePolicies:truncate",
    expected: `Console is not reachable | ${POLICIES} | https://console/api/v1/policies/compliance/container cannot be reached: the connection was closed before the answer was complete. ${UNREACHABLE}`,
    stored: [B, L],
  },
])("$fault", async ({ fault, expected, stored }) => {
  const untouched = workspace.console.policies();
  workspace.console.faults.add(parseFault(fault));
  expect(errorsOf(await workspace.run("apply --auto-approve"), workspace)).toEqual([expected]);
  expect(workspace.stored().sort()).toEqual([...stored].sort());
  expect(workspace.files()).toEqual(["terraform.prod.tfstate"]);
  expect(workspace.console.policies()).toEqual(untouched);

  workspace.console.faults.clear();
  const { out } = await workspace.apply();
  const rest = 3 - stored.length;
  expect(out).toContain(`Apply complete! Resources: ${rest} added, 0 changed, 0 destroyed.`);
  expect(workspace.stored().sort()).toEqual([B, P, L].sort());
  expect((await workspace.run("plan --detailed-exitcode")).code).toBe(0);
});

test.each([
  "signUp:reset-after:1",
  "signUp:truncate:1",
  "authenticate:status=503:1",
  "installLicense:reset-after:1",
  "putCompliancePolicies:reset-after:1",
  "putCompliancePolicies:status=503,retry-after=0:1",
  "putCompliancePolicies:html",
  "*:delay=20",
])("recovers from %s without a message", async (fault) => {
  workspace.console.faults.add(parseFault(fault));
  const run = await workspace.run("apply --auto-approve");
  expect(run).toMatchObject({ code: 0, err: "" });
  expect(run.out).toContain("Apply complete! Resources: 3 added, 0 changed, 0 destroyed.");
  expect(workspace.console.policies().map(({ name }) => name)).toEqual(["First"]);
});

test("waits for a console that never serves until the timeout, with the reason", async () => {
  workspace.console.faults.add(parseFault("*:status=502,body=html"));
  const run = await workspace.run("apply --auto-approve");
  expect(errorsOf(run, workspace)).toEqual([
    `Console is not ready | ${BOOTSTRAP}, at wait_timeout | The console did not become ready within 1 s (wait_timeout). Last error: GET https://console/api/v1/_ping answered 502 Bad Gateway: Gateway. Start the console, or correct base_url, and run this again.`,
  ]);
  expect(run.out).toMatch(/Still creating\.\.\. \[\d+s elapsed, waiting: GET .*_ping answered 502/);
  expect(workspace.requests.filter((one) => !one.endsWith("/_ping"))).toEqual([]);
});

describe("a body that is JSON, but not what the API describes", () => {
  test("is reported with its location, and is not overwritten", async () => {
    await workspace.apply();
    await workspace.console.load({ policies: [{ name: 5 }] });
    const before = workspace.requests.length;
    expect(errorsOf(await workspace.run("apply --auto-approve"), workspace)).toEqual([
      `Unexpected response from the console | ${POLICIES} | The console sent compliance policies of an unexpected form at $[0].name: must be a string. The answer is [1 of {"name": number}]. ${OTHER}`,
    ]);
    expect(workspace.requests.slice(before).filter((one) => one.startsWith("PUT"))).toEqual([]);
  });
});

describe("local-exec", () => {
  test("taints its resource on failure, and stops dependents", async () => {
    const gate = (command: string) => ({
      null_resource: {
        gate: { provisioner: [{ "local-exec": { command } }] },
        next: { depends_on: ["null_resource.gate"] },
      },
    });
    workspace.write(workspace.stackOf(gate("echo no such host >&2; exit 3")));
    const run = await workspace.run("apply --auto-approve");
    expect(errorsOf(run, workspace)).toEqual([
      'local-exec provisioner error | with null_resource.gate, at provisioner[0].local-exec | Error running command "echo no such host >&2; exit 3": it ended with exit status 3. Output: | no such host',
    ]);
    expect(workspace.stored()).toEqual(["null_resource.gate"]);
    workspace.write(workspace.stackOf(gate("true")));
    const again = await workspace.apply();
    expect(again.out).toContain("null_resource.gate is tainted, so must be replaced");
    expect(again.out).toContain("Apply complete! Resources: 2 added, 0 changed, 1 destroyed.");
  });
});
