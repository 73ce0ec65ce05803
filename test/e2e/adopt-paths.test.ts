import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { packedPackage } from "../support/packed-package";
import { describeWithTerraform } from "../support/terraform";
import { startCli } from "./support/bundle";

jest.setTimeout(600_000);

const PASSWORD = "correct-horse-battery";
const STORED = {
  "policies/admission": { _id: "admission", rules: [{ name: "one", effect: "block" }] },
  "settings/defender": { listeningPort: 9998, disconnectPeriodDays: 4 },
  collections: [{ name: "a" }, { name: "b", images: ["x/*"] }],
  users: [{ username: "audit", role: "auditor", password: { sealed: "canary" } }],
  "alert-profiles": [
    { _id: "7", name: "chat", webhook: { token: "canary" }, policy: { all: true } },
  ],
  "settings/trusted-hosts": {
    enabled: true,
    hosts: [
      { host: "build-1", weight: 1.5 },
      { host: "build-2", note: "by hand" },
    ],
  },
  "settings/proxy": { url: "proxy.example.com", bypass: [], depth: { max: 3 } },
};
const PATHS = Object.keys(STORED);

let simulator: Simulator;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  symlinkSync(packedPackage().modules, join(folder, "node_modules"));
  simulator = await startSimulator({
    signedUp: { username: "admin", password: PASSWORD },
    licensed: true,
    any: () => undefined,
  });
  for (const [path, document] of Object.entries(STORED)) await served().store(path, document);
});
afterEach(() => simulator.close());

const served = () => simulator.consoles[0].console;
const requests = () => served().requests.map(({ method, path }) => `${method} ${path}`);
const writes = () => requests().filter((one) => !/^GET |\/authenticate/.test(one));

function run(...argv: string[]) {
  const environment = {
    CONSOLE_URL: simulator.consoles[0].url,
    CONSOLE_CA_FILE: simulator.caFile,
    CONSOLE_USERNAME: "admin",
    CONSOLE_PASSWORD: PASSWORD,
    TF_CLI_CONFIG_FILE: "/dev/null",
  };
  return startCli(argv, { cwd: folder, environment }).ended;
}

describeWithTerraform("adopt --path of kinds and of paths that the catalogue does not have", () => {
  test.each(["embedded", "terraform"])(
    "imports everything with %s, and writes nothing",
    async (engine) => {
      const paths = PATHS.flatMap((path) => ["--path", path]);
      expect(await run("adopt", "--force", ...paths)).toMatchObject({ code: 0, err: "" });
      // Twice, each time with two requests more, which prove that the list has no other page.
      expect(requests().filter((one) => one === "GET /api/v1/collections")).toHaveLength(6);
      const source = readFileSync(join(folder, "adopted/main.ts"), "utf8");
      expect(source).not.toContain("canary");
      const app = "node_modules/.bin/tsx adopted/main.ts";
      expect(await run("synth", "--app", app)).toMatchObject({ code: 0, err: "" });

      const on = (words: string) =>
        run(...words.split(" "), "--out-dir", "cdktf.out", "--engine", engine);
      const planned = await on("plan");
      expect(planned).toMatchObject({ code: 0, err: "" });
      expect(planned.out).toContain("Plan: 8 to import, 0 to add, 0 to change, 0 to destroy.");
      expect(await on("apply --auto-approve")).toMatchObject({ code: 0, err: "" });
      expect(await on("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
      expect(writes()).toEqual([]);
      for (const [path, document] of Object.entries(STORED)) {
        expect(served().document(path)).toEqual(document);
      }
    },
  );
});
