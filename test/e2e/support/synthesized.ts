import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { App, TerraformStack } from "cdktf";
import { ConsoleProvider, Secret, type ConsoleProviderProps } from "../../../src";

const EXAMPLES = join(__dirname, "../../../examples");

/** Placeholders for the console, which is not known at synth. */
const URL = "https://console.invalid:8083";
const CA_FILE = "/authority-of-console.invalid.pem";
/** A placeholder for the folder of the stacks. */
export const FOLDER = "/folder-of-console.invalid";

/** The files of a synth by path below cdktf.out: synthesized once, written to many folders. */
export type Synthesized = ReadonlyMap<string, string>;

/** Synthesizes an app, as `cdktf synth` does. */
export function synthesize(build: (app: App) => void): Synthesized {
  return synthesizedTo((outdir) => {
    const app = new App({ outdir });
    build(app);
    app.synth();
  });
}

/** Synthesizes an app with one stack, `prod`, and its console. */
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

/** Synthesizes the quickstart example. Once in a test file. */
export function synthesizeQuickstart(): Synthesized {
  return synthesizedTo((outdir) => {
    const main = join(EXAMPLES, "quickstart/main.ts");
    synthesizeApp(main, outdir, { CONSOLE_URL: URL, CONSOLE_CA_FILE: CA_FILE });
  });
}

/** Runs an app from its file, as the commands do. Once in a test file. */
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

/** Writes cdktf.out for a console and the folder of its states; returns the path. */
export function place(
  synthesized: Synthesized,
  folder: string,
  console: { readonly url: string; readonly caFile: string },
): string {
  const outDir = join(folder, "cdktf.out");
  // cdktf writes the path of the working directory into the stacks.
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
