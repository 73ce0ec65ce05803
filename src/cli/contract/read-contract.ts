import { dirname, resolve } from "node:path";
import { error, formatPath, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import { errorText, fileProblem } from "../../core/io/file-problem";
import { otherEncoding, readTextFile } from "../../core/io/read-file";
import { locateJson, locateYaml, type LocatedDocument } from "../../core/json/located-document";
import { didYouMean } from "../../core/suggest";
import { isRecord } from "../../core/member-of";
import { schemaMessages } from "../../core/schema/schema-messages";
import type { StackLabels } from "../../fleet/selection/labels";
import type { CheckEffect, Scope, Where } from "../../protection/policy";
import { patternList } from "../../protection/pattern";
import { problemsOf } from "../../language";
import {
  NO_CONTRACT,
  unmatchedPatterns,
  type BaselineClause,
  type Clause,
  type Contract,
  type RequiredClause,
  type WaiverClause,
} from "./contract";
import { CONTRACT_ARGUMENTS, contractSchema, type ContractDocument } from "./contract-schema";
import { policiesOf, readPolicyFile, type ReadPolicies } from "./policy-file";

/** The contract of a folder, in one of these files. */
export const DEFAULT_FILES = ["protection.yaml", "protection.json"];

/**
 * Reads the contract of a folder, or a named one. Without a file there is no contract; one that is
 * named must exist.
 */
export async function readContract(
  directory: string,
  named: string | undefined,
): Promise<{ readonly contract: Contract; readonly diagnostics: readonly Diagnostic[] }> {
  const found: { readonly file: string; readonly text: string }[] = [];
  for (const file of named === undefined ? DEFAULT_FILES : [named]) {
    const path = resolve(directory, file);
    try {
      found.push({ file, text: await readTextFile(path) });
    } catch (cause) {
      if (named === undefined && fileProblem(cause)?.code === "ENOENT") continue;
      const problem = error("Contract cannot be read", `${file}: ${fileFault(cause, path)}`);
      return { contract: NO_CONTRACT, diagnostics: [problem] };
    }
  }
  const [first, second] = found;
  if (!first) return { contract: NO_CONTRACT, diagnostics: [] };
  if (second) {
    const detail = `The folder has ${first.file} and ${second.file}. Remove one, or name the other with --contract.`;
    return { contract: NO_CONTRACT, diagnostics: [error("Two contracts", detail)] };
  }
  return parseContract(first.file, first.text, dirname(resolve(directory, first.file)));
}

async function parseContract(file: string, text: string, folder: string) {
  const located = file.endsWith(".json") ? locateJson(text) : locateYaml(text);
  const at = (message: string, line: number | undefined) =>
    error(
      "Invalid contract",
      `${file}${line === undefined ? "" : `:${line}`}: ${message}`.replace(/[^.?]$/, "$&."),
    );
  const failed = (diagnostics: readonly Diagnostic[]) => ({ contract: NO_CONTRACT, diagnostics });
  const begin = "begin it with version: 1";
  if (text.trim() === "") return failed([at(`the file is empty; ${begin}`, 1)]);
  if (text.includes("\uFFFD")) {
    const { message, line } = otherEncoding(text);
    return failed([at(message, line)]);
  }
  const { content, problems } = located;
  const isOther = problems.length > 0 ? !/\.(ya?ml|json)$/.test(file) : !resembles(content);
  if (isOther) {
    const message = `the file is no contract; ${begin}, or name another one with --contract`;
    return failed([at(message, 1)]);
  }
  if (problems.length > 0) return failed(problems.map(({ message, line }) => at(message, line)));
  const parsed = contractSchema.safeParse(content, { error: schemaMessages });
  if (!parsed.success) {
    return failed(
      problemsOf(parsed.error).map(({ path, summary, message }) => {
        const inside = path.slice(0, -1);
        const where = inside.length > 0 ? ` It is in ${formatPath(inside)}.` : "";
        const next = nextStep(summary, String(path.at(-1)));
        return at(`${message}${next}${where}`, located.lineOf(path));
      }),
    );
  }
  return readClauses(parsed.data, { file, folder, located, at });
}

/** Reports whether a document may be a contract: it has a part of one, or the version. */
function resembles(content: unknown): boolean {
  const parts = ["require", "baseline", "waivers"];
  return (
    isRecord(content) &&
    (typeof content.version === "number" || parts.some((part) => Object.hasOwn(content, part)))
  );
}

/** The next step for an argument that is not expected, or lacks. */
function nextStep(summary: string, name: string): string {
  if (summary === "Missing required argument") return " Add it.";
  if (summary !== "Unsupported argument") return "";
  // Another part of a contract may have an argument of this name.
  const others = CONTRACT_ARGUMENTS.filter((one) => one !== name);
  return didYouMean(name, others) || " Remove it.";
}

interface Reading {
  readonly file: string;
  readonly folder: string;
  readonly located: LocatedDocument;
  /** Makes a diagnostic of a line. */
  readonly at: (message: string, line: number | undefined) => Diagnostic;
}

type Path = readonly (string | number)[];

/** Any clause, as it is written. */
interface Written extends Pick<ContractDocument["waivers"][number], "where" | "unless"> {
  readonly stacks?: readonly string[] | undefined;
  readonly labels?: StackLabels | undefined;
}

/** Reads the clauses of a contract, and the diagnostics of those that mean nothing. */
async function readClauses(document: ContractDocument, { file, folder, located, at }: Reading) {
  const diagnostics: Diagnostic[] = [];
  const report = (message: string, path: Path) => {
    diagnostics.push(at(message, located.lineOf(path)));
  };
  const clauseOf = ({ stacks = [], labels = {} }: Written, path: Path): Clause => ({
    place: `${file}:${located.lineOf(path)}`,
    selection: { stacks, labels },
  });
  const scopeOf = (scope: Scope, path: Path): Scope => {
    for (const [field, patterns = []] of Object.entries(scope)) {
      if (!patternList(patterns).isNothing) continue;
      const message = `${field} matches no workload: a list of exemptions needs a pattern that includes, such as "*"`;
      report(message, [...path, field]);
    }
    return scope;
  };
  const whereOf = ({ where = [], unless = [] }: Written, path: Path): Where => {
    const scopes = (all: readonly Scope[], name: string) =>
      all.map((scope, nth) => scopeOf(scope, [...path, name, nth]));
    return {
      all: Array.isArray(where) ? scopes(where, "where") : [scopeOf(where, [...path, "where"])],
      none: scopes(unless, "unless"),
    };
  };
  const names = document.require.map(({ name }) => name);
  const requirements = document.require.map((one, index): RequiredClause => {
    const path = ["require", index];
    if (names.indexOf(one.name) !== index) {
      const text = JSON.stringify(one.name);
      report(`the name ${text} is used twice; rename one of the two`, [...path, "name"]);
    }
    const checks = Object.entries(one.checks).map(
      ([id, effect]) => [id, effect === "block"] as const,
    );
    return {
      ...{ ...clauseOf(one, path), name: one.name, where: whereOf(one, path) },
      checks: Object.fromEntries(checks),
    };
  });
  const baselines: BaselineClause[] = [];
  for (const [index, one] of document.baseline.entries()) {
    const path = ["baseline", index];
    const { policies } = one;
    const name = typeof policies === "string" ? policies : "policies";
    const read = await policiesIn(policies, folder);
    if ("fault" in read) report(`${name}: ${read.fault}`, [...path, "policies"]);
    else baselines.push({ ...clauseOf(one, path), name, policies: read.policies });
  }
  const waivers = document.waivers.map((one, index): WaiverClause => {
    const path = ["waivers", index];
    const { owner, reason, expires } = one;
    const checks = Object.entries(one.checks).map(([id, { from, to }]) => {
      if (from === to) {
        const next = "remove it, or correct one of them";
        report(`check ${id} waives nothing: from and to are alike; ${next}`, [
          ...path,
          "checks",
          id,
        ]);
      }
      return [id, { from: EFFECTS[from], to: EFFECTS[to] }] as const;
    });
    return {
      ...{ ...clauseOf(one, path), where: whereOf(one, path), checks: new Map(checks) },
      ...{ owner, reason, expires },
    };
  });
  const checkTitles = new Map(Object.entries(document.check_titles));
  const contract: Contract = { requirements, baselines, waivers, checkTitles };
  return { contract: hasErrors(diagnostics) ? NO_CONTRACT : contract, diagnostics };
}

const EFFECTS = { block: "blocks", alert: "alerts", none: null } as const satisfies Record<
  string,
  CheckEffect
>;

async function policiesIn(
  policies: string | readonly unknown[],
  folder: string,
): Promise<ReadPolicies> {
  if (typeof policies !== "string") return policiesOf(JSON.stringify(policies));
  try {
    return await readPolicyFile(resolve(folder, policies));
  } catch (cause) {
    return { fault: errorText(cause) };
  }
}

/** Reads a contract for the errors that it has in an app with these stacks. */
export async function checkContract(
  { directory }: { readonly directory: string },
  named: string | undefined,
  stacks: readonly string[],
): Promise<readonly Diagnostic[]> {
  const { contract, diagnostics } = await readContract(directory, named);
  return [...diagnostics, ...unmatchedPatterns(contract, stacks)];
}
