import { ManualClock, parseFault } from "../../../src/simulator";
import { describeWithTofu, TOFU } from "../../opentofu/install";
import { describeWithTerraform } from "../../support/terraform";
import { describeWithTerraform115, TERRAFORM_1_15 } from "../../terraform-1.15/install";
import { openConsoleProject, policySet, type ConsoleProject } from "../support/console-project";

const START = "GET /api/v1/containers/scan";
const INVOKE = "-invoke=action.cwp_container_scan.all";
const ACTION = `
  action "cwp_container_scan" "all" {
    config {
      poll_interval = 0.01
    }
  }
`;
const TRIGGER = `
  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.cwp_container_scan.all]
    }
  }
`;

interface Scanned extends ConsoleProject {
  /** The number of scans that were started. */
  readonly scans: () => number;
  /** Sets the console's time that a read of the results takes; at first 10 seconds. */
  readonly pass: (time: { readonly seconds: number }) => void;
}

async function open(program: string): Promise<Scanned> {
  const clock = new ManualClock();
  let time = { seconds: 10 };
  const served = await openConsoleProject({ program, clock });
  const { console } = served;
  const handle = console.handle.bind(console);
  console.handle = (request) => {
    if (request.path.startsWith("/api/v1/containers?")) clock.advance(time);
    return handle(request);
  };
  return {
    ...served,
    pass: (other) => {
      time = other;
    },
    scans: () =>
      console.requests.filter(({ method, path }) => `${method} ${path}` === START).length,
  };
}

describeWithTerraform115("the action cwp_container_scan", () => {
  let served: Scanned;

  beforeAll(async () => {
    served = await open(TERRAFORM_1_15);
  });
  afterAll(() => served.close());
  beforeEach(() => {
    served.console.requests.length = 0;
    served.pass({ seconds: 10 });
  });

  test("scans after a resource is created, and after it is updated", async () => {
    const { project, configure, scans } = served;
    configure(ACTION + policySet(["One"], TRIGGER));
    expect(await project.succeed("plan")).toContain("Actions: 1 to invoke.");
    expect(scans()).toBe(0);

    const applied = await project.succeed("apply -auto-approve");
    expect(applied).toMatch(/cwp_container_scan\.all .*: 350 of 350 containers scanned/);
    expect(applied).toMatch(/Scan complete\. Containers: 350, compliance issues: \d+/);
    expect(applied).toContain("Actions: 1 invoked.");
    expect(scans()).toBe(1);
    await project.succeed("plan -detailed-exitcode");

    configure(ACTION + policySet(["One", "Two"], TRIGGER));
    await project.succeed("apply -auto-approve");
    expect(scans()).toBe(2);
    expect(project.read("terraform.tfstate")).not.toContain("cwp_container_scan");
  });

  test("scans on demand, in the JSON syntax too", async () => {
    const { project, configure, scans } = served;
    configure(policySet(["Not applied"]));
    const all = { config: { poll_interval: 0.01 } };
    project.write({ action: { cwp_container_scan: { all } } }, "action.tf.json");
    await project.succeed(`apply -auto-approve ${INVOKE}`);
    project.write({}, "action.tf.json");
    expect(scans()).toBe(1);
    expect(served.console.policies().map(({ name }) => name)).toEqual(["One", "Two"]);
  });

  test("fails the apply if the console refuses the scan", async () => {
    const { project, configure, console, scans } = served;
    configure(ACTION + policySet(["Changed"], TRIGGER));
    console.faults.add(parseFault("startContainerScan:status=403"));
    const { code, err } = await project.run("apply -auto-approve");
    expect(code).toBe(1);
    expect(err).toMatch(/Error when invoking action.*Console refused the request: GET/s);
    expect(scans()).toBe(1);
    console.faults.clear();
    // The policies were changed: their event is over.
    await project.succeed("plan -detailed-exitcode");
    await project.succeed(`apply -auto-approve ${INVOKE}`);
    expect(scans()).toBe(2);
  });

  test("names what is missing of a scan that does not end in time", async () => {
    const { project, configure, pass } = served;
    pass({ seconds: 0 });
    configure(ACTION.replace("config {", "config {\n timeout = 0.001"));
    const { code, err } = await project.run(`apply -auto-approve ${INVOKE}`);
    const text = err.replace(/\s+/g, " ");
    expect(code).toBe(1);
    expect(text).toContain("The scan was not complete after 0.001 s: 350 of 350 containers");
    expect(text).toContain("invoke the action with -invoke");
  });

  test("checks its configuration when it is validated, and what is unknown then when it is invoked", async () => {
    const { project, configure, scans } = served;
    configure(ACTION.replace("0.01", "-1"));
    expect((await project.run("validate")).err).toContain("Invalid attribute value");
    configure(`
      resource "terraform_data" "interval" {
        input = -1
      }
      ${ACTION.replace("0.01", "terraform_data.interval.output")}
      ${policySet(["Changed again"], TRIGGER)}
    `);
    const { code, err } = await project.run("apply -auto-approve");
    expect(code).toBe(1);
    expect(err).toContain("Invalid attribute value");
    expect(scans()).toBe(0);
  });

  test("ends its wait when Terraform is interrupted", async () => {
    const { project, configure, console, scans } = served;
    configure(ACTION.replace("0.01", "3600").replace("config {", "config {\n timeout = 7200"));
    const handle = console.handle.bind(console);
    const started = new Promise<void>((resolve) => {
      console.handle = async (request) => {
        const answer = await handle(request);
        if (request.path === "/api/v1/containers/scan") setTimeout(resolve, 200);
        return answer;
      };
    });
    const { child, ended } = project.start(`apply -auto-approve ${INVOKE}`);
    await started;
    child.kill("SIGINT");
    const { code, out, err } = await ended;
    expect(code).toBe(1);
    expect(out).toContain("0 of 350 containers scanned");
    expect(err).toContain("Interrupted");
    expect(scans()).toBe(1);
  });
});

describe("programs without actions", () => {
  for (const [describeWith, program] of [
    [describeWithTerraform, "terraform"],
    [describeWithTofu, TOFU],
  ] as const) {
    describeWith(program, () => {
      test("refuse the block by themselves, and run the rest", async () => {
        const { project, configure, close } = await open(program);
        try {
          configure(ACTION);
          const { err } = await project.run("validate");
          expect(err).toContain('Blocks of type "action" are not expected here.');
          configure(policySet(["One"]));
          await project.succeed("apply -auto-approve");
        } finally {
          await close();
        }
      });
    });
  }
});
