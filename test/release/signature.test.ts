import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sign, throwAwayKey } from "../../scripts/release/signature";
import { temporaryFolder } from "../cli/stack-files";
import { describeWhere, onPath } from "../support/requirement";

describeWhere(onPath("gpg"), "the signature of a release", () => {
  function fileToSign() {
    const file = join(temporaryFolder(), "SHA256SUMS");
    writeFileSync(file, "content\n");
    return { file, publicKey: `${file}.asc` };
  }

  test("is that of the key that was handed in, which has a passphrase", () => {
    const { file, publicKey } = fileToSign();
    const fingerprint = sign(file, publicKey, throwAwayKey("a passphrase"));
    expect(fingerprint).toMatch(/^[0-9A-F]{40}$/);
    expect(readFileSync(publicKey, "utf8")).toContain("BEGIN PGP PUBLIC KEY BLOCK");
    const shown = ["--homedir", temporaryFolder(), "--show-keys", "--with-colons", publicKey];
    expect(execFileSync("gpg", shown, { encoding: "utf8" })).toContain(fingerprint);
    expect(readFileSync(`${file}.sig`).length).toBeGreaterThan(512);
  });

  test("needs the passphrase, and a key that Terraform accepts", () => {
    const { file, publicKey } = fileToSign();
    const locked = throwAwayKey("a passphrase");
    expect(() => sign(file, publicKey, { ...locked, passphrase: "another" })).toThrow();
    expect(() => sign(file, publicKey, throwAwayKey("", "ed25519"))).toThrow("RSA with 4096 bits");
  });
});
