/**
 * Shows the product on an embedded console with the commands of a user: plan, apply, an empty plan,
 * the review of a changed policy, drift. Needs only Node and this checkout.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { startSimulator } from "cdktf-console/simulator";

const root = join(__dirname, "..");
/** Kept, so that it can be looked at. */
const page = join(root, "dist/demo.html");

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cdktf-console-demo-"));
  const simulator = await startSimulator();
  const [{ url, console: served }] = simulator.consoles;
  const environment = {
    ...process.env,
    CONSOLE_URL: url,
    CONSOLE_CA_FILE: simulator.caFile,
    CONSOLE_USERNAME: "admin",
    CONSOLE_PASSWORD: "demo-only-password",
    CONSOLE_LICENSE_KEY: "demo-only-license",
  };
  const run = (...args: string[]) => cdktfConsole(args, folder, environment);
  try {
    await writeProject(folder);
    console.log(`A new console serves ${url}. Its stack is examples/quickstart. The output is`);
    console.log("shortened: of new resources to the policies, without lines about progress.");
    heading("Plan");
    await run("plan");
    heading("Apply");
    await run("apply", "--auto-approve");
    heading("Plan again");
    await run("plan", "--detailed-exitcode");

    heading('The policy "No root in production" changes: it only alerts now');
    await changeSource(folder, "checks: { 599: true }", "checks: { 599: false }");
    await run("plan", "--html", page);
    await changeSource(folder, "checks: { 599: false }", "checks: { 599: true }");

    heading("Somebody removes the checks of a policy on the console");
    await served.edit({
      policies: served.policies().map(({ condition, ...one }) => ({
        ...one,
        condition: one.name === "Hardened hosts" ? { vulnerabilities: [] } : condition,
      })),
    });
    await run("plan");
    heading("Try next");
    console.log(NEXT);
  } finally {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const NEXT = `The plan with the changed policy, as a page for reviewers:
  ${relative(process.cwd(), page)}

A new project, after npm pack:
  npx cdktf-console init ../my-console

A console to try commands on:
  npx cdktf-console simulate`;

/** Writes a project with the quickstart's stack, which uses the packages of this checkout. */
async function writeProject(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  await mkdir(modules);
  await symlink(root, join(modules, "cdktf-console"), "junction");
  for (const name of ["cdktf", "constructs"]) {
    await symlink(join(root, "node_modules", name), join(modules, name), "junction");
  }
  const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
  const settings = { language: "typescript", app: `"${process.execPath}" "${tsx}" main.ts` };
  await writeFile(join(folder, "cdktf.json"), JSON.stringify(settings));
  const source = await readFile(join(root, "examples/quickstart/main.ts"), "utf8");
  await writeFile(join(folder, "main.ts"), source);
}

async function changeSource(folder: string, before: string, after: string): Promise<void> {
  const file = join(folder, "main.ts");
  const source = await readFile(file, "utf8");
  await writeFile(file, source.replace(before, after));
}

/** Shows a command and runs it; rejects unless it exits with 0. */
function cdktfConsole(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const shown = args.map((word) => (word === page ? relative(process.cwd(), page) : word));
  console.log(`$ cdktf-console ${shown.join(" ")}`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, "dist/cli.js"), ...args], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      const text = Buffer.concat(output).toString();
      console.log(code === 0 ? shortened(text, args[0] === "apply") : text);
      if (code === 0) resolve();
      else reject(new Error(`cdktf-console ${args.join(" ")} exited with ${String(code)}`));
    });
  });
}

/** Leaves out what one screen does not need. An apply repeats the plan, which is left out. */
function shortened(text: string, isApply: boolean): string {
  const output = isApply ? text.slice(text.search(/^\S+: Creating\.\.\.$/m)) : text;
  return output
    .replace(/^\S+: (Refreshing state|Creating)\.\.\..*\n/gm, "")
    .replace(/^Warning: Console is not readable yet\n[^]*?\n\(and .*\)\n/m, "")
    .replace(NEW_RESOURCE, (block: string, header: string) =>
      block.includes("policy_set") ? block : `${header}\n`,
    )
    .replace(/(will be created\n)(?=Plan: )/, "$1\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const NEW_RESOURCE = /^( {2}# \S+ will be created)\n(?: {2}.*\n)*? {4}\}\n\n?/gm;

function heading(text: string): void {
  console.log(`\n── ${text} ──`);
}

main().catch((failure: unknown) => {
  console.error(failure);
  process.exitCode = 1;
});
