import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLosslessNumber, parse, stringify } from "lossless-json";
import { z } from "zod";
import { TOFU } from "../../opentofu/install";
import { terraform } from "../../support/terraform";
import type { TypeJson } from "../../../src/core/type-json";
import { parseConsoleType } from "./console-type";
import { canonicalJson, UNKNOWN_MARKER, type Result } from "./table";
import { CONFIGURATION, FILES } from "./world";

const diagnostic = z.object({
  type: z.literal("diagnostic"),
  diagnostic: z.object({
    severity: z.string(),
    summary: z.string(),
    range: z.object({ filename: z.string() }).optional(),
  }),
});
const plan = z.object({
  output_changes: z.record(
    z.string(),
    z.object({ after: z.unknown().optional(), after_unknown: z.unknown() }),
  ),
});

const PROCESS = {
  encoding: "utf8",
  maxBuffer: 1 << 28,
  env: { ...process.env, CHECKPOINT_DISABLE: "1", TF_CLI_CONFIG_FILE: "/dev/null" },
} as const;

/** A file of a configuration that has an output, and a local value of the same name. */
export interface OutputFile {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** Plans a configuration with one output for each expression, and gives the planned values. */
export function terraformResults(
  expressions: readonly string[],
  program = "terraform",
): ReadonlyMap<string, Result> {
  const files = expressions.map((expression, index): OutputFile => {
    const name = `e${index}`;
    const local = `locals {\n  ${name} = (\n${expression}\n  )\n}\n`;
    const output = `output "${name}" {\n  sensitive = true\n  value = local.${name}\n}\n`;
    return { name, file: `${name}.tf`, text: local + output };
  });
  const results = plannedOutputs(files, program);
  return new Map(
    expressions.flatMap((expression, index) => {
      const result = results.get(`e${index}`);
      return result ? [[expression, result]] : [];
    }),
  );
}

/**
 * Plans a configuration of these files, and gives the planned values by the names of the outputs.
 * Files with errors are taken out until a plan succeeds, since Terraform does not report all at once.
 */
export function plannedOutputs(
  files: readonly OutputFile[],
  program = "terraform",
): ReadonlyMap<string, Result> {
  const results = new Map<string, Result>();
  const cwd = mkdtempSync(join(tmpdir(), "expressions-"));
  try {
    writeFileSync(join(cwd, "main.tf"), CONFIGURATION);
    cpSync(FILES, cwd, { recursive: true });
    for (const { file, text } of files) writeFileSync(join(cwd, file), text);
    let pending = files;
    for (;;) {
      const errors = planErrors(cwd, program);
      if (errors.size === 0) break;
      const failed = pending.filter(({ file }) => errors.has(file));
      if (failed.length === 0) throw new Error([...errors.values()].join("\n"));
      for (const { name, file } of failed) {
        results.set(name, { error: errors.get(file) ?? "" });
        rmSync(join(cwd, file));
      }
      pending = pending.filter((one) => !failed.includes(one));
    }
    const { output_changes } = plan.parse(
      parse(terraform(["show", "-json", "plan"], { cwd }, program)),
    );
    const names = pending.map(({ name }) => name);
    const types = typesOf(names, cwd, program);
    for (const name of names) {
      const change = output_changes[name];
      results.set(name, {
        type: canonicalJson(JSON.stringify(types.get(name))),
        value: canonicalJson(
          stringify(withUnknowns(change?.after ?? null, change?.after_unknown)) ?? "null",
        ),
      });
    }
    return results;
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/**
 * Returns the types of locals, also of unknown values, which only a console shows. That of OpenTofu
 * cannot plan, so resources that are not created yet have the type `dynamic`.
 */
function typesOf(
  names: readonly string[],
  cwd: string,
  program: string,
): ReadonlyMap<string, TypeJson> {
  const members = names.map((name) => `${name} = local.${name}`).join(", ");
  const { stdout } = spawnSync(program, program !== TOFU ? ["console", "-plan"] : ["console"], {
    ...PROCESS,
    cwd,
    input: `type({ ${members} })\n`,
  });
  const type = parseConsoleType(stdout);
  if (typeof type === "string" || type[0] !== "object") throw new Error(stdout);
  return new Map(Object.entries(type[1]));
}

/** Returns the first error of each file. */
function planErrors(cwd: string, program: string): ReadonlyMap<string, string> {
  const { stdout } = spawnSync(program, ["plan", "-json", "-out=plan"], {
    ...PROCESS,
    cwd,
  });
  const errors = new Map<string, string>();
  for (const line of stdout.trim().split("\n")) {
    const read = diagnostic.safeParse(JSON.parse(line));
    if (!read.success || read.data.diagnostic.severity !== "error") continue;
    const { summary, range } = read.data.diagnostic;
    const file = range?.filename ?? "";
    if (!errors.has(file)) errors.set(file, summary);
  }
  return errors;
}

export function withUnknowns(after: unknown, unknown: unknown): unknown {
  if (unknown === true) return UNKNOWN_MARKER;
  if (Array.isArray(unknown)) {
    const items: readonly unknown[] = Array.isArray(after) ? after : [];
    const length = Math.max(items.length, unknown.length);
    return Array.from({ length }, (_, at) => withUnknowns(items[at] ?? null, unknown[at]));
  }
  if (typeof unknown === "object" && unknown !== null && !isLosslessNumber(after)) {
    const members: Readonly<Record<string, unknown>> = { ...(after as object | null) };
    const keys = [...new Set([...Object.keys(members), ...Object.keys(unknown)])];
    return Object.fromEntries(
      keys.map((key) => [
        key,
        withUnknowns(members[key] ?? null, (unknown as Readonly<Record<string, unknown>>)[key]),
      ]),
    );
  }
  return after;
}
