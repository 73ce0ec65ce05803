import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "../../cli/stack-files";
import { startCli } from "./bundle";
import type { StatePlace } from "./state-places";

/** The requests of all processes to a server. */
interface Requests {
  readonly requests: readonly string[];
  /** Resolves at the request with this number, counted from 1. */
  at(count: number): Promise<void>;
}

interface KilledMigration {
  readonly stacks: number;
  /** The kills of the move to the place, and again of the move back. */
  readonly kills: number;
  /** Requests between the moment of a kill and that of the next. */
  readonly step: number;
  /** The text of the state that the move back leaves in the place. Default: it leaves none. */
  readonly kept?: (stack: string) => Promise<string>;
}

/**
 * Moves states from files to a place and back, killed at ever later requests. Each state is then in one
 * place and equal, no lock is left, and the next plan is empty.
 */
export async function expectMovedInSpiteOfKills(
  place: StatePlace,
  requests: Requests,
  { stacks, kills, step, kept }: KilledMigration,
): Promise<void> {
  const directory = temporaryFolder();
  const names = Array.from({ length: stacks }, (_, index) => `s${index}`);
  const fileOf = (name: string) => join(directory, `terraform.${name}.tfstate`);
  const synthesize = (backendOf: (name: string) => object) => {
    const required_providers = { null: { source: "null" } };
    const entries = names.map((name) => {
      const terraform = { required_providers, backend: backendOf(name) };
      return [name, { terraform, resource: { null_resource: { gate: {} } } }] as const;
    });
    writeStacks(directory, Object.fromEntries(entries));
  };
  const start = (line: string) => {
    const argv = [...line.split(" "), "--out-dir", "cdktf.out"];
    return startCli(argv, { cwd: directory, environment: place.environment });
  };
  const done = async (line: string) => {
    const { code, err } = await start(line).ended;
    expect({ line, code, err }).toEqual({ line, code: 0, err: "" });
  };
  const migrate = async () => {
    for (let kill = 1; kill <= kills; kill++) {
      const moment = requests.at(requests.requests.length + 3 + kill * step);
      const running = start("state migrate");
      const killed = moment.then(() => running.child.kill("SIGKILL"));
      await Promise.race([running.ended, killed]);
      const { signal } = await running.ended;
      expect({ kill, signal }).toEqual({ kill, signal: "SIGKILL" });
    }
    await done("state migrate");
  };
  const inFiles = (name: string) => ({ local: { path: fileOf(name) } });
  const stored = (name: string) => place.stored(name, "default");

  synthesize(inFiles);
  await done("apply --auto-approve");
  const states = new Map(names.map((name) => [name, readFileSync(fileOf(name), "utf8")]));

  synthesize((name) => place.backend(name));
  await migrate();
  for (const name of names) {
    expect(await stored(name)).toBe(states.get(name));
    expect(existsSync(fileOf(name))).toBe(false);
    expect(readFileSync(`${fileOf(name)}.moved-1`, "utf8")).toBe(states.get(name));
  }
  await done("plan --detailed-exitcode");

  synthesize(inFiles);
  await migrate();
  for (const name of names) {
    expect(readFileSync(fileOf(name), "utf8")).toBe(states.get(name));
    expect(await stored(name)).toBe("");
    if (kept) expect(await kept(name)).toBe(states.get(name));
  }
  await done("plan --detailed-exitcode");
}
