import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { CertificateAuthority, parseFault, type ConsoleRequest } from "../../../src/simulator";
import { describeWithTerraform } from "../../support/terraform";
import type { RunningTerraform } from "../../support/terraform-project";
import { openConsoleProject, policySet, type ConsoleProject } from "../support/console-project";

const REGISTRY = `
  resource "cwp_registry_scan" "registries" {
    specifications = [{ registry = "r", repository = "*", tag = "*" }]
    depends_on     = [cwp_compliance_policy_set.policies]
  }
`;

describeWithTerraform("what goes wrong under terraform", () => {
  let served: ConsoleProject;

  beforeEach(async () => {
    served = await openConsoleProject();
    served.configure(policySet(["One"]) + REGISTRY);
  });
  afterEach(() => served.close());

  const names = () => served.console.policies().map(({ name }) => name);
  const stored = () => {
    const { resources } = JSON.parse(served.project.read("terraform.tfstate")) as {
      resources: { type: string }[];
    };
    return resources.map(({ type }) => type);
  };

  /** Starts an apply; resolves at the first such request, before it is answered. */
  async function applyUntil(method: string, path: string): Promise<RunningTerraform> {
    const { console, project } = served;
    const handle = console.handle.bind(console);
    const arrived = new Promise<void>((resolve) => {
      console.handle = async (request: ConsoleRequest) => {
        if (request.method === method && request.path === path) {
          console.handle = handle;
          resolve();
          await new Promise((later) => setTimeout(later, 300));
        }
        return handle(request);
      };
    });
    const running = project.start("apply -auto-approve");
    await arrived;
    return running;
  }

  async function converges(): Promise<void> {
    await served.project.succeed("apply -auto-approve");
    expect(names()).toEqual(["One"]);
    await served.project.succeed("plan -detailed-exitcode");
  }

  test("continues after a kill during a write", async () => {
    const { child, ended } = await applyUntil("PUT", "/api/v1/policies/compliance/container");
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    await converges();
  });

  test("refuses a destroy that cannot restore after the provider was killed in an update", async () => {
    const { project, console, configure } = served;
    await project.succeed("apply -auto-approve");
    configure(policySet(["One", "Two"]) + REGISTRY);
    const { child, ended } = await applyUntil("PUT", "/api/v1/policies/compliance/container");
    const { stdout } = await promisify(execFile)("ps", ["--ppid", `${child.pid}`, "-o", "pid="]);
    for (const pid of stdout.split("\n").map(Number)) if (pid > 0) process.kill(pid, "SIGKILL");
    expect((await ended).code).toBe(1);
    const unknown = "The compliance policies before the first apply are unknown";
    expect((await project.run("plan")).out).toContain(`Warning: ${unknown}`);
    expect((await project.run("destroy -auto-approve")).err).toContain(`Error: ${unknown}`);
    expect(stored()).toEqual(["cwp_compliance_policy_set", "cwp_registry_scan"]);

    configure(policySet(["One", "Two"], 'on_destroy = "keep"') + REGISTRY);
    await project.succeed("apply -auto-approve");
    await project.succeed("destroy -auto-approve");
    expect(console.policies()).toMatchObject([{ name: "One" }, { name: "Two" }]);
  });

  test("cancels calls on an interrupt and keeps possible changes in the state", async () => {
    const { child, ended } = await applyUntil("PUT", "/api/v1/settings/registry");
    child.kill("SIGINT");
    const { code, err } = await ended;
    expect(code).toBe(1);
    expect(err).toContain("Error: Interrupted");
    expect(stored()).toEqual(["cwp_compliance_policy_set", "cwp_registry_scan"]);
    // No request could check whether the write arrived.
    expect(served.project.read("terraform.tfstate")).toContain('"status": "tainted"');
    await converges();
  });

  test("reports an unreachable console once and keeps completed changes", async () => {
    const { console, project, head, configure } = served;
    const impatient = head.replace(/(provider "cwp" {)/, "$1\nmax_retries = 0\n");
    project.write(impatient + policySet(["One"]) + REGISTRY, "main.tf");
    console.faults.add(parseFault("putRegistrySettings:reset-before"));
    const { code, err } = await project.run("apply -auto-approve");
    expect(code).toBe(1);
    expect(err.match(/^Error: .*/gm)).toEqual(["Error: Console is not reachable"]);
    expect(stored()).toEqual(["cwp_compliance_policy_set"]);
    console.faults.clear();
    configure(policySet(["One"]) + REGISTRY);
    await converges();
  });

  test("reports a certificate of another authority with advice", async () => {
    const { project, simulator, head } = served;
    const other = await CertificateAuthority.create("Other");
    writeFileSync(join(project.directory, "other.pem"), other.certificate);
    project.write(head.replace(simulator.caFile, "other.pem") + policySet(["One"]), "main.tf");
    const { err } = await project.run("plan");
    expect(err + (await project.run("apply -auto-approve")).err).toContain(
      "Error: TLS connection refused",
    );
  });

  test("refuses the state of a newer provider and leaves it unchanged", async () => {
    const { project } = served;
    await project.succeed("apply -auto-approve");
    const newer = project
      .read("terraform.tfstate")
      .replaceAll('"schema_version": 0', '"schema_version": 7');
    project.write(newer, "terraform.tfstate");
    const { code, err } = await project.run("plan");
    expect(code).toBe(1);
    expect(err).toMatch(/Error: Resource instance managed by newer provider version/);
    expect(project.read("terraform.tfstate")).toBe(newer);
  });

  test("writes nothing to a console that changed after the plan", async () => {
    const { project, console, configure } = served;
    await project.succeed("apply -auto-approve");
    configure(policySet(["One", "Two"]) + REGISTRY);
    await project.succeed("plan -out plan");
    await console.load({ policies: [] });
    const { code, err } = await project.run("apply plan");
    expect(code).toBe(1);
    expect(err).toContain("compliance policies changed since the plan was");
    expect(names()).toEqual([]);
  });
});
