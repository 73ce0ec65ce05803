import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import { offlineEnvironment, startProgram } from "../support/terraform-project";
import { describeWithCdktf } from "./cdktf-project";
import { CDKTF } from "./install";

const ROOT = join(__dirname, "../..");

describeWithCdktf("cdktf init --template", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cdktf-init-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  test("writes a project from the archive of the build, with the packages of its tests", async () => {
    const archive = readFileSync(join(ROOT, "dist/cdktf-template.zip"));
    const server = createServer((_, response) => response.end(archive)).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const environment = {
      ...(await offlineEnvironment(folder)),
      CI: "1",
      NO_COLOR: "1",
      CONSOLE_PACKAGE: `file:${ROOT}`,
    };
    const cdktf = async (...args: string[]) => {
      const { code, out, err } = await startProgram(CDKTF, args, folder, environment).ended;
      expect({ code, output: code === 0 ? "" : out + err }).toEqual({ code: 0, output: "" });
      return out;
    };
    try {
      await cdktf(
        ...["init", "--template", `http://127.0.0.1:${port}/cdktf-template.zip`, "--local"],
        ...["--project-name", "mine", "--project-description", "x"],
        "--enable-crash-reporting=false",
      );
    } finally {
      server.close();
    }
    // The packages of the project's own test are there too.
    expect(existsSync(join(folder, "node_modules/.bin/jest"))).toBe(true);
    expect(existsSync(join(folder, ".gitignore"))).toBe(true);
  });
});
