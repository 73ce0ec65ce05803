import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CertificateAuthority } from "../../src/simulator/certificates";
import { ReviewReader } from "../review/html/review-page";
import { describeWithChromium } from "../support/chromium";
import { packedPackage } from "../support/packed-package";
import { consoleStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";

/** An address without a server: a plan of this process would block a simulator in it. */
const CLOSED = "https://127.0.0.1:1";

describeWithChromium("the bundled command", () => {
  test("writes a page that runs in a browser", async () => {
    const { cli } = packedPackage();
    const directory = temporaryFolder();
    const caFile = join(directory, "ca.pem");
    writeFileSync(caFile, (await CertificateAuthority.create("Test")).certificate);
    writeStacks(directory, { prod: consoleStack({ caFile, consoles: [{ url: CLOSED }] }) });
    execFileSync(process.execPath, [cli, "plan", "--out-dir", "cdktf.out", "--html", "plan.html"], {
      cwd: directory,
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...SECRETS },
      stdio: "ignore",
    });
    const reader = await ReviewReader.start();
    try {
      const { page, problems } = await reader.openFile(join(directory, "plan.html"));
      expect(await page.getByRole("status").innerText()).toBe("3 of 3 changes are shown.");
      expect(problems).toEqual([]);
    } finally {
      await reader.close();
    }
  });
});
