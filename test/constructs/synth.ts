import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, TerraformStack } from "cdktf";

/** A cdk.tf.json without the comments and the backend, which say where it was synthesized. */
export interface Synthesized {
  readonly terraform: { required_version?: string; required_providers: Record<string, unknown> };
  readonly provider: Record<string, Record<string, unknown>[]>;
  readonly resource: Record<string, Record<string, Record<string, unknown>>>;
  readonly variable?: Record<string, Record<string, unknown>>;
  readonly output?: Record<string, Record<string, unknown>>;
  readonly data?: Record<string, Record<string, Record<string, unknown>>>;
}

/** Synthesizes an app as `cdktf synth` does and returns each stack, with its text, by name. */
export function synthApp(build: (app: App) => void): Record<string, Synthesized> {
  const outdir = mkdtempSync(join(tmpdir(), "cdktf-console-"));
  try {
    const app = new App({ outdir });
    build(app);
    app.synth();
    const stacks = app.node.children.filter((child) => TerraformStack.isStack(child));
    return Object.fromEntries(
      stacks.map(({ node }) => {
        const file = join(outdir, "stacks", node.id, "cdk.tf.json");
        return [node.id, JSON.parse(readFileSync(file, "utf8"), dropComments) as Synthesized];
      }),
    );
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

export function synthStack(build: (stack: TerraformStack) => void): Synthesized {
  const { demo } = synthApp((app) => {
    build(new TerraformStack(app, "demo"));
  });
  return demo!;
}

/** The message with which the synthesis is refused. */
export function refusal(synthesize: () => unknown): string {
  try {
    synthesize();
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
  throw new Error("it was synthesized");
}

/** The findings in a refusal, one a line, without the lines of the program. */
export function findings(synthesize: () => unknown): string[] {
  return refusal(synthesize)
    .split("\n")
    .map((line) => line.trim().replace(/ \([^()\s]+:\d+\)$/, ""))
    .filter((line) => line.startsWith("["));
}

function dropComments(key: string, value: unknown): unknown {
  return key === "//" || key === "backend" ? undefined : value;
}
