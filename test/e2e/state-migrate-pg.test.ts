import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { describeWithPostgres, Postgres } from "../support/postgres";
import { startCli } from "./support/bundle";

describeWithPostgres("a state that moves to PostgreSQL and back", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await Postgres.open();
  });
  afterAll(() => postgres.close());

  test("stays the same, and is in one place", async () => {
    const directory = temporaryFolder();
    const file = join(directory, "terraform.a.tfstate");
    const done = async (line: string) => {
      const argv = [...line.split(" "), "--out-dir", "cdktf.out"];
      const { environment } = postgres;
      const { code, out, err } = await startCli(argv, { cwd: directory, environment }).ended;
      expect({ line, code, err }).toEqual({ line, code: 0, err: "" });
      return out;
    };
    const synthesize = (backend: object) => {
      const terraform = { required_providers: { null: { source: "null" } }, backend };
      writeStacks(directory, { a: { terraform, resource: { null_resource: { gate: {} } } } });
    };
    synthesize({ local: { path: file } });
    await done("apply --auto-approve");
    const state = readFileSync(file, "utf8");

    synthesize({ pg: {} });
    await done("state migrate");
    expect(JSON.parse(await done("state pull --stack a"))).toEqual(JSON.parse(state));
    expect(existsSync(file)).toBe(false);
    await done("plan --detailed-exitcode");

    renameSync(`${file}.moved-1`, join(directory, "kept"));
    synthesize({ local: { path: file } });
    await done("state migrate");
    expect(readFileSync(file, "utf8")).toBe(state);
    const saved = readdirSync(directory).filter((name) => name.endsWith(".moved-1"));
    expect(saved).toHaveLength(1);
    await done("plan --detailed-exitcode");

    synthesize({ pg: {} });
    expect(await done("state pull --stack a")).toBe("");
  });
});
