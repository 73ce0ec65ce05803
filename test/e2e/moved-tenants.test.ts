import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { describeWithTofu, TOFU } from "../opentofu/install";
import { LONG_TESTS } from "../support/cases";
import { packedPackage } from "../support/packed-package";
import { describeWithTerraform } from "../support/terraform";
import { startProcess } from "./support/bundle";

// A file of two tenants with the packed package: their consoles are swapped, get behind tunnels, and
// the disk is full.

jest.setTimeout(600_000);

const ADMIN = { username: "admin", password: "long-secret" };
const REFUSED = "Object is on another console";

const PROGRAM = `import { App } from "cdktf";
import { ConsoleTenant, Secret, TenantFleet } from "cdktf-console";

const app = new App();
const base = {
  console: { password: Secret.fromEnv("CONSOLE_PASSWORD") },
  policies: { policies: [{ name: "managed", checks: { 599: process.env.BLOCKS === "yes" } }] },
};
TenantFleet.fromFile(app, "tenants.csv", (stack, tenant) => {
  new ConsoleTenant(stack, "tenant", { base, overrides: tenant.overrides });
});
app.synth();
`;

describeWithTerraform("with the embedded engine", () => {
  tenants([]);
});
// test/cli/terraform/moved-console.test.ts has the refusals of other engines.
if (LONG_TESTS) {
  describeWithTerraform("with Terraform", () => {
    tenants(["--engine", "terraform", "--with-null"]);
  });
  describeWithTofu("with OpenTofu", () => {
    tenants(["--engine", "tofu", "--with-null"]);
  });
}

function tenants(engine: readonly string[]): void {
  let folder: string;
  let simulator: Simulator;
  const tunnels: Tunnel[] = [];

  beforeEach(async () => {
    folder = temporaryFolder();
    symlinkSync(packedPackage().modules, join(folder, "node_modules"));
    writeFileSync(join(folder, "main.ts"), PROGRAM);
    const project = { language: "typescript", app: "node node_modules/tsx/dist/cli.mjs main.ts" };
    writeFileSync(join(folder, "cdktf.json"), JSON.stringify(project));
    simulator = await startSimulator({ tenants: 2, signedUp: ADMIN, licensed: true });
    for (const [at, { console }] of simulator.consoles.entries()) {
      await console.load({ policies: [{ name: `before ${at}`, notes: "n".repeat(2_000) }] });
    }
  });
  afterEach(async () => {
    await Promise.all(tunnels.splice(0).map((one) => one.close()));
    await simulator.close();
  });

  const consoleAt = (at: number) => {
    const found = simulator.consoles[at];
    if (!found) throw new Error("no such console");
    return found;
  };
  const urlOf = (at: number) => consoleAt(at).url;
  const policies = () =>
    simulator.consoles.map(({ console }) => console.policies().map(({ name }) => name));
  const writes = () =>
    simulator.consoles.flatMap(({ console }) =>
      console.requests.filter(({ method }) => method === "PUT"),
    );

  /** Writes the file of tenants: its columns, and the cells of each row. */
  const write = (columns: string, ...rows: readonly string[]) => {
    writeFileSync(join(folder, "tenants.csv"), [columns, ...rows, ""].join("\n"));
  };
  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    CONSOLE_USERNAME: ADMIN.username,
    CONSOLE_PASSWORD: ADMIN.password,
    CONSOLE_CA_FILE: simulator.caFile,
    TF_CLI_CONFIG_FILE: "/dev/null",
    PATH: [dirname(TOFU), process.env.PATH].join(delimiter),
    ...more,
  });

  /** Runs a command line, within a limit on the size of files in KiB. */
  async function run(line: string, { within, ...more }: Record<string, string> = {}) {
    const script = `ulimit -f ${within ?? "unlimited"}; exec "$0" "$@"`;
    const argv = [process.execPath, packedPackage().cli, ...line.split(" "), ...engine];
    const options = { cwd: folder, environment: environment(more) };
    const { code, out, err } = await startProcess("bash", ["-c", script, ...argv], options).ended;
    return { code, said: `${out}${err}`.replace(/[│\s]+/g, " ") };
  }

  async function succeed(...given: Parameters<typeof run>): Promise<void> {
    const { code, said } = await run(...given);
    if (code !== 0) throw new Error(`${given[0]}: ${said}`);
  }

  async function tunnelTo(at: number): Promise<string> {
    const { port, pathname } = new URL(urlOf(at));
    const tunnel = await Tunnel.open(Number(port));
    tunnels.push(tunnel);
    return `https://127.0.0.1:${tunnel.port}${pathname}`;
  }

  const asTheyAre = () => {
    write("name,url", `one,${urlOf(0)}`, `two,${urlOf(1)}`);
  };

  async function managed(): Promise<void> {
    asTheyAre();
    for (const name of ["one", "two"]) {
      await succeed(`import ${name} policies container`);
    }
    await succeed("apply * --auto-approve");
    expect(policies()).toEqual([["managed"], ["managed"]]);
  }

  test("keeps two tenants apart whose consoles are swapped, and knows them behind tunnels", async () => {
    await managed();
    write("name,url", `one,${urlOf(1)}`, `two,${urlOf(0)}`);
    const before = writes().length;
    for (const command of ["plan *", "apply * --auto-approve", "destroy * --auto-approve"]) {
      const { code, said } = await run(command, { BLOCKS: "yes" });
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(said.split(REFUSED).length).toBeGreaterThan(2);
    }
    expect(writes()).toHaveLength(before);

    // The first run behind the tunnels names the earlier addresses, and its write stores the IDs.
    const columns = "name,url,consoleId,previousUrls";
    const row = async (name: string, at: number) =>
      `${name},${await tunnelTo(at)},${name}-id,${urlOf(at)}`;
    write(columns, await row("one", 0), await row("two", 1));
    await succeed("plan * --detailed-exitcode");
    const changed = { BLOCKS: "yes" };
    await succeed("apply * --auto-approve", changed);

    const again = async (name: string, at: number) => `${name},${await tunnelTo(at)},${name}-id`;
    write("name,url,consoleId", await again("one", 0), await again("two", 1));
    await succeed("plan * --detailed-exitcode", changed);
    write("name,url,consoleId", `one,${await tunnelTo(1)},two-id`, await again("two", 1));
    const other = await run("plan *", changed);
    expect(other.code).toBe(1);
    expect(other.said).toContain(REFUSED);

    write("name,url,consoleId", await again("one", 0), await again("two", 1));
    await succeed("destroy * --auto-approve", changed);
    expect(policies()).toEqual([["before 0"], ["before 1"]]);
  });

  test("writes nothing that a full disk cannot record, and continues when there is space", async () => {
    await managed();
    const before = writes().length;
    const changed = { BLOCKS: "yes" };
    const full = await run("apply * --auto-approve", { ...changed, within: "1" });
    expect(full.code).toBe(1);
    expect(full.said).toMatch(/too large/i);
    expect(writes()).toHaveLength(before);
    await succeed("apply * --auto-approve", changed);
    await succeed("plan * --detailed-exitcode", changed);
    await succeed("destroy * --auto-approve", changed);
    expect(policies()).toEqual([["before 0"], ["before 1"]]);
    expect(readdirSync(folder).filter((name) => /journal|\.lock|tmp/.test(name))).toEqual([]);
  });
}

/** A port of this machine that leads to another one, as that of an SSH tunnel does. */
class Tunnel {
  private readonly open = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async open(target: number): Promise<Tunnel> {
    const server = createServer();
    const tunnel = new Tunnel(server);
    server.on("connection", (client) => {
      const upstream = connect(target, "127.0.0.1");
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        tunnel.open.add(from);
        from.pipe(to);
        from.on("error", () => to.destroy());
        from.on("close", () => to.destroy());
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return tunnel;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const one of this.open) one.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
