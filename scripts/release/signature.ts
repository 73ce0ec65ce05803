/** OpenPGP signatures, by GnuPG. Terraform accepts keys of RSA only. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A private key as armored text, and the passphrase that it is encrypted with. */
export interface SigningKey {
  readonly key: string;
  readonly passphrase: string;
}

/** GnuPG with an empty keyring. */
type Gpg = (args: readonly string[], input?: string) => string;

function withKeyring<T>(use: (gpg: Gpg) => T): T {
  const home = mkdtempSync(join(tmpdir(), "gpg-"));
  const options = ["--homedir", home, "--batch", "--no-tty", "--pinentry-mode", "loopback"];
  try {
    return use((args, input = "") =>
      execFileSync("gpg", [...options, ...args], {
        input,
        encoding: "utf8",
        stdio: ["pipe", "pipe", "pipe"],
      }),
    );
  } finally {
    // The agent of this keyring.
    execFileSync("gpgconf", ["--homedir", home, "--kill", "all"]);
    rmSync(home, { recursive: true, force: true });
  }
}

/** Creates a key for tests. */
export function throwAwayKey(passphrase = "", algorithm = "rsa4096"): SigningKey {
  return withKeyring((gpg) => {
    const name = "Throw-away key of cdktf-console";
    const given = ["--passphrase", passphrase];
    gpg([...given, "--quick-generate-key", name, algorithm, "sign", "never"]);
    return { key: gpg([...given, "--armor", "--export-secret-keys"]), passphrase };
  });
}

/**
 * Writes the detached signature of a file next to it, as `FILE.sig`, and the public key.
 *
 * @returns the fingerprint of the key
 */
export function sign(file: string, publicKey: string, { key, passphrase }: SigningKey): string {
  return withKeyring((gpg) => {
    gpg(["--import"], key);
    const colons = gpg(["--list-secret-keys", "--with-colons"]);
    if (!/^sec:[^:]*:4096:1:/m.test(colons))
      throw new Error("the key is not of RSA with 4096 bits");
    const signing = ["--yes", "--passphrase-fd", "0", "--digest-algo", "SHA512"];
    gpg([...signing, "--output", `${file}.sig`, "--detach-sign", file], passphrase);
    gpg(["--verify", `${file}.sig`, file]);
    writeFileSync(publicKey, gpg(["--armor", "--export"]));
    return /^fpr:+([0-9A-F]+):/m.exec(colons)?.[1] ?? "";
  });
}
