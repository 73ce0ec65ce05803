import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closedPort } from "../support/closed-port";
import { KEPT_FOLDER } from "../support/kept-folder";
import { temporaryFolder } from "../cli/stack-files";

const VERSION = "6.8.0";

/** A registry of npm on the loopback interface, which has all other packages from the registry of npm. */
export interface RegistryOfNpm {
  readonly url: string;
  /** Variables by which npm uses it, with the right to publish. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => void;
}

export async function serveRegistryOfNpm(): Promise<RegistryOfNpm> {
  const folder = temporaryFolder();
  const port = await closedPort();
  const config = {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "users") } },
    uplinks: { npmjs: { url: npm(folder, "config", "get", "registry").trim() } },
    packages: {
      "cdktf-console": { access: "$all", publish: "$authenticated" },
      "**": { access: "$all", proxy: "npmjs" },
    },
    server: { keepAliveTimeout: 60 },
    log: { type: "file", path: join(folder, "log"), level: "warn" },
  };
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
  const url = `http://127.0.0.1:${port}/`;
  const program = join(installed(), "node_modules/verdaccio/bin/verdaccio");
  const server = spawn(
    process.execPath,
    [program, "--config", join(folder, "config.yaml"), "--listen", `127.0.0.1:${port}`],
    { stdio: "ignore" },
  );
  const token = await signUp(url);
  const settings = join(folder, "npmrc");
  writeFileSync(settings, `registry=${url}\n//127.0.0.1:${port}/:_authToken=${token}\n`);
  return {
    url,
    environment: { NPM_CONFIG_USERCONFIG: settings, npm_config_registry: url },
    close: () => server.kill(),
  };
}

/** Waits until the registry answers, and returns the token of a new user. */
async function signUp(url: string): Promise<string> {
  for (;;) {
    const answer = await fetch(`${url}-/user/org.couchdb.user:publisher`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "publisher", password: "a-long-password" }),
    }).catch(() => undefined);
    if (answer?.ok) return ((await answer.json()) as { token: string }).token;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The folder with the program, which is installed once. */
function installed(): string {
  const folder = join(KEPT_FOLDER, `cdktf-console-verdaccio-${VERSION}`);
  if (existsSync(folder)) return folder;
  mkdirSync(KEPT_FOLDER, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  // Its version of node-fetch warns of a deprecated module of Node in each run.
  const manifest = { private: true, overrides: { "node-fetch": "2.7.0" } };
  writeFileSync(join(draft, "package.json"), JSON.stringify(manifest));
  npm(draft, "install", "--no-audit", "--no-fund", "--ignore-scripts", `verdaccio@${VERSION}`);
  try {
    renameSync(draft, folder);
  } catch {
    // Another process was faster.
  }
  return folder;
}

function npm(cwd: string, ...argv: readonly string[]): string {
  return execFileSync("npm", argv, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
