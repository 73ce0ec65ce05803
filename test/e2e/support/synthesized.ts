import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { App, TerraformStack } from "cdktf";
import { ConsoleProvider, Secret, type ConsoleProviderProps } from "../../../src";

const EXAMPLES = join(__dirname, "../../../examples");

/** Stand for the console that is not known yet when stacks are synthesized. */
const URL = "https://console.invalid:8083";
const CA_FILE = join(tmpdir(), "authority-of-console.invalid.pem");
/** Stands for the folder that the stacks are put into. */
export const FOLDER = join(tmpdir(), "folder-of-console.invalid");

/** What a synth wrote, by path below cdktf.out: synthesized once, put into many folders. */
export type Synthesized = ReadonlyMap<string, string>;

/** Synthesizes an app, as `cdktf synth` does. */
export function synthesize(build: (app: App) => void): Synthesized {
  return synthesizedTo((outdir) => {
    const app = new App({ outdir });
    build(app);
    app.synth();
  });
}

/** An app with one stack, `prod`, with the console to configure. */
export function synthesizeStack(
  build: (stack: TerraformStack) => void,
  console: ConsoleProviderProps = {},
): Synthesized {
  return synthesize((app) => {
    const stack = new TerraformStack(app, "prod");
    addConsole(stack, console);
    build(stack);
  });
}

export function addConsole(stack: TerraformStack, props: ConsoleProviderProps = {}) {
  return new ConsoleProvider(stack, "console", {
    baseUrl: URL,
    caCertificateFile: CA_FILE,
    username: "admin",
    password: Secret.fromEnv("CONSOLE_PASSWORD"),
    ...props,
  });
}

/** The quickstart of the examples, as it is. Once in a test file. */
export function synthesizeQuickstart(): Synthesized {
  return synthesizedTo((outdir) => {
    const main = join(EXAMPLES, "quickstart/main.ts");
    synthesizeApp(main, outdir, { CONSOLE_URL: URL, CONSOLE_CA_FILE: CA_FILE });
  });
}

/** Runs a file that is an app, as the commands do. Once in a test file. */
export function synthesizeApp(
  file: string,
  outdir: string,
  environment: Readonly<Record<string, string>> = {},
): void {
  const before = { ...process.env };
  Object.assign(process.env, environment, { CDKTF_OUTDIR: outdir });
  try {
    jest.requireActual(file);
  } finally {
    process.env = before;
  }
}

/** Writes cdktf.out for a console and a folder, where the states will be; returns its path. */
export function place(
  synthesized: Synthesized,
  folder: string,
  console: { readonly url: string; readonly caFile: string },
): string {
  const outDir = join(folder, "cdktf.out");
  // cdktf puts the states where it runs, and says so in the stacks.
  const states = join(process.cwd(), "terraform.");
  for (const [path, text] of synthesized) {
    const file = join(outDir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      text
        .replaceAll(URL, console.url)
        .replaceAll(CA_FILE, console.caFile)
        .replaceAll(FOLDER, folder)
        .replaceAll(states, join(folder, "terraform.")),
    );
  }
  return outDir;
}

function synthesizedTo(synth: (outdir: string) => void): Synthesized {
  const outdir = mkdtempSync(join(tmpdir(), "cdktf-console-synth-"));
  try {
    synth(outdir);
    return filesOf(outdir);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

function filesOf(outdir: string): Synthesized {
  const manifest = readFileSync(join(outdir, "manifest.json"), "utf8");
  const { stacks } = JSON.parse(manifest) as {
    stacks: Record<string, { synthesizedStackPath: string }>;
  };
  const paths = Object.values(stacks).map(({ synthesizedStackPath }) => synthesizedStackPath);
  return new Map([
    ["manifest.json", manifest],
    ...paths.map((path) => [path, readFileSync(join(outdir, path), "utf8")] as const),
  ]);
}
