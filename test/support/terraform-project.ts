import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  consoleInstallations,
  install,
  nullInstallations,
} from "../../src/terraform-provider/installation";
import { COMPILE_CACHE } from "./kept-folder";
import { packedPackage } from "./packed-package";

/** The program that users install. */
export const BUNDLE = packedPackage().provider;

// A run of Terraform starts several processes, each of which takes as long as the machine is busy.
const folders: string[] = [];
let mirror: Promise<string> | undefined;

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder, removed after the last test of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cdktf-console-terraform-"));
  folders.push(folder);
  return folder;
}

/** The exit code and the output of a run of Terraform. */
export interface TerraformEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningTerraform {
  readonly child: ChildProcess;
  readonly ended: Promise<TerraformEnd>;
}

/**
 * A folder that Terraform runs in, offline: the providers come from a mirror on disk, with our own
 * `null_resource` for hashicorp/null. It never blocks, so that a simulator in this process serves.
 */
export class TerraformProject {
  private constructor(
    readonly directory: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly program: string,
  ) {}

  /**
   * `directory`: default a new folder. `environment`: added to the variables that Terraform needs.
   * `program`: `terraform` or the path of OpenTofu.
   */
  static async open(
    environment: Readonly<Record<string, string>> = {},
    directory = temporaryFolder(),
    program = "terraform",
  ): Promise<TerraformProject> {
    const all = { ...(await offlineEnvironment(directory)), ...environment };
    return new TerraformProject(directory, all, program);
  }

  /** Writes `NAME`, by default the configuration; an object as JSON. */
  write(content: string | object, name = "main.tf.json"): void {
    const file = join(this.directory, name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  }

  read(name: string): string {
    return readFileSync(join(this.directory, name), "utf8");
  }

  /** Runs a command to its end, with `-no-color` and `-input=false` where the command takes them. */
  async run(command: string, environment: Readonly<Record<string, string>> = {}) {
    return this.start(command, environment).ended;
  }

  /** Like `run`, but returns the output and throws if Terraform fails. */
  async succeed(command: string, environment: Readonly<Record<string, string>> = {}) {
    const { code, signal, out, err } = await this.run(command, environment);
    if (code !== 0)
      throw new Error(`${this.program} ${command}: ${String(code ?? signal)}\n${out}${err}`);
    return out;
  }

  start(command: string, environment: Readonly<Record<string, string>> = {}): RunningTerraform {
    return startProgram(this.program, command.split(" "), this.directory, {
      TF_IN_AUTOMATION: "1",
      TF_INPUT: "0",
      TF_CLI_ARGS: "-no-color",
      ...this.environment,
      ...environment,
    });
  }
}

/** Runs a program without blocking, and keeps what it prints. */
export function startProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): RunningTerraform {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const ended = new Promise<TerraformEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve({ code, signal, out, err });
    });
  });
  return { child, ended };
}

/** The environment of Terraform: providers come from the mirror only. */
export async function offlineEnvironment(home: string): Promise<NodeJS.ProcessEnv> {
  const plugins = await (mirror ??= fillMirror());
  return {
    PATH: process.env.PATH,
    HOME: home,
    CHECKPOINT_DISABLE: "1",
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    TMPDIR: process.env.TMPDIR,
    TF_CLI_CONFIG_FILE: join(plugins, "terraform.rc"),
  };
}

/** Creates a mirror with both providers, and a CLI configuration that names only this mirror. */
async function fillMirror(): Promise<string> {
  const plugins = temporaryFolder();
  for (const one of [...consoleInstallations(), ...nullInstallations()]) {
    await install(plugins, one, BUNDLE);
  }
  writeFileSync(
    join(plugins, "terraform.rc"),
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(plugins)}\n  }\n}\n`,
  );
  return plugins;
}
