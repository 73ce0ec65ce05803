import { isSecretName } from "../../core/redact";
import { basename, dirname, resolve } from "node:path";
import { z } from "zod";
import { formatPath } from "../../core/diagnostics";
import { groupBy } from "../../core/group-by";
import { joined } from "../../core/printed";
import { consoleAddress } from "../../provider/console/address";
import { nearest } from "../../core/suggest";
import { MISSING, schemaMessages } from "../../core/schema/schema-messages";
import { fileFault } from "../../core/io/file-fault";
import { readTextNow } from "../../core/io/read-file";
import { readTenantRows } from "./read-rows";
import type { RowProblem, RawRow, RowStep } from "./raw-rows";
import type { Adapt } from "./settings-schema";
import { rowSchema, type TenantRow } from "./tenant-row";

/** A row with its place, as in `tenants.yaml:12`. */
export interface PlacedRow {
  readonly row: TenantRow;
  /** The policies of its `policiesFile`. */
  readonly policies?: readonly object[];
  readonly line: number;
  readonly origin: string;
}

/** A row with errors. Its stack is excluded from each run. */
export interface FaultyRow {
  readonly name: string;
  readonly labels: Labels;
  readonly problems: readonly RowProblem[];
}

type Labels = NonNullable<TenantRow["labels"]>;

/** An error that lists all problems of a file of tenants, each with its line. */
export class TenantFileError extends Error {
  override readonly name = "TenantFileError";

  constructor(
    readonly file: string,
    readonly problems: readonly RowProblem[],
    options?: ErrorOptions,
  ) {
    const sorted = [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
    const lines = sorted.map((problem) => `  ${sentenceOf(file, problem)}`);
    const count = problems.length === 1 ? "an error" : `${problems.length} errors`;
    super(joined([`${basename(file)} has ${count}:`, ...lines], "\n").toString(), options);
  }
}

/** `tenants.csv:12: removed must be true or false` */
export function sentenceOf(file: string, { line, message }: RowProblem): string {
  return `${place(file, line)}: ${message}`;
}

function place(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${line}`;
}

/**
 * Reads and checks a file of tenants.
 *
 * @throws TenantFileError with all problems of the file, if they are not those of some of its rows
 */
export function readTenants(file: string): {
  readonly placed: readonly PlacedRow[];
  readonly faulty: readonly FaultyRow[];
} {
  const { rows, problems, isText, columns = [] } = readTenantRows(file);
  const schema = rowSchema(isText ? fromText : undefined);
  const found: RowProblem[] = [...problems, ...repetitions(rows)];
  const placed: PlacedRow[] = [];
  const faulty: FaultyRow[] = [];
  for (const raw of rows) {
    const read = schema.safeParse(raw.value, { error: schemaMessages });
    const list = read.success ? policiesOf(read.data, dirname(file)) : undefined;
    if (read.success && typeof list !== "string") {
      const policies = list && { policies: list };
      placed.push({ row: read.data, ...policies, line: raw.line, origin: place(file, raw.line) });
      continue;
    }
    const ofRow =
      typeof list === "string"
        ? [{ line: raw.lineOf(["policiesFile"]), message: `policiesFile: ${list}` }]
        : (read.error?.issues ?? []).flatMap((issue) => problemsOf(issue, raw, columns));
    const name = schema.shape.name.safeParse(stringIn(raw.value, "name")).data;
    // Without a name there is no stack to exclude, and the first line has the columns of all rows.
    if (name === undefined || ofRow.some(({ line }) => isText && line === 1)) found.push(...ofRow);
    const labels = schema.shape.labels.safeParse(memberIn(raw.value, "labels")).data ?? {};
    faulty.push({ name: name ?? "", labels, problems: ofRow });
  }
  if (found.length === 0 && (faulty.length === 0 || placed.length > 0)) return { placed, faulty };
  const all = [...found, ...faulty.flatMap((row) => row.problems)];
  // A row lacks what the header misspells.
  const ofHeader = isText ? all.filter(({ line }) => line === 1) : [];
  const once = groupBy(ofHeader.length > 0 ? ofHeader : all, ({ line, message }) =>
    JSON.stringify([line, message]),
  );
  throw new TenantFileError(
    file,
    once.map(([problem]) => problem),
  );
}

/** Reads the policies that a row names. Returns the problem of a file that has none. */
function policiesOf(
  { policiesFile }: TenantRow,
  folder: string,
): readonly object[] | string | undefined {
  if (policiesFile === undefined) return undefined;
  const path = resolve(folder, policiesFile);
  try {
    const list: unknown = JSON.parse(readTextNow(path));
    const read = z.array(z.looseObject({ name: z.string() })).safeParse(list);
    return read.success
      ? read.data
      : `${policiesFile} must have a JSON list of policies, each with a name`;
  } catch (failure) {
    if (failure instanceof SyntaxError)
      return `${policiesFile} is not JSON; correct it: ${failure.message}`;
    return fileFault(failure, path).replace(/\.$/, "");
  }
}

/** Cells are strings: a boolean, a number, a list and an object are read as JSON. */
const fromText: Adapt = (schema) =>
  z.preprocess((cell) => {
    if (typeof cell !== "string") return cell;
    try {
      return JSON.parse(cell) as unknown;
    } catch {
      return cell;
    }
  }, schema);

/** One problem for each unknown member, so that each is at its line. */
function problemsOf(
  issue: z.core.$ZodIssue,
  { lineOf }: RawRow,
  columns: readonly string[],
): readonly RowProblem[] {
  const path = issue.path.map((step): RowStep => (typeof step === "symbol" ? String(step) : step));
  if (issue.code !== "unrecognized_keys") {
    const isKey = issue.code === "invalid_key";
    const said = isKey ? (issue.issues[0]?.message ?? issue.message) : issue.message;
    const message = said === MISSING ? `${said}; each tenant needs it` : said;
    return [{ line: lineOf(path), message: `${formatPath(path) || "the row"} ${message}` }];
  }
  return issue.keys.flatMap((key): readonly RowProblem[] => {
    const inner = [...path, key];
    const meant = path.length === 0 ? nearest(key, MEMBERS) : undefined;
    const advice = (given: string) =>
      meant === undefined
        ? isSecretName(key)
          ? "; remove it, and read the secret with Secret.fromEnv"
          : "; remove it, or move it into values"
        : `; did you mean ${JSON.stringify(given.replace(key, meant))}?`;
    const named = inner.join(".");
    const faulty = columns.filter((column) => column === named || column.startsWith(`${named}.`));
    // A column is a fault of the header, not of each row.
    if (faulty.length > 0) {
      return faulty.map((column) => ({
        line: 1,
        message: `the column ${JSON.stringify(column)} is unknown${advice(column)}`,
      }));
    }
    return [{ line: lineOf(inner), message: `${formatPath(inner)} is unknown${advice(key)}` }];
  });
}

const MEMBERS = Object.keys(rowSchema().shape);

/** Two rows must have neither one stack nor one console. */
function repetitions(rows: readonly RawRow[]): readonly RowProblem[] {
  const unique = (
    member: "name" | "url",
    why: string,
    keyOf: (text: string, row: unknown) => string,
  ) => {
    const first = new Map<string, number>();
    return rows.flatMap(({ value, line, lineOf }): readonly RowProblem[] => {
      const text = stringIn(value, member);
      if (text === undefined) return [];
      const key = keyOf(text, value);
      const other = first.get(key);
      if (other === undefined) {
        first.set(key, line);
        return [];
      }
      const message = `${member} ${JSON.stringify(text)} is ${why} of the tenant in line ${other}; each tenant needs its own`;
      return [{ line: lineOf([member]), message }];
    });
  };
  return [
    // Some file systems do not distinguish upper and lower case.
    ...unique("name", "the name", (name) => name.toLowerCase()),
    ...unique(
      "url",
      "the console",
      (url, row) => consoleAddress(url, stringIn(row, "project")) ?? url,
    ),
  ];
}

function stringIn(value: unknown, member: string): string | undefined {
  const found = memberIn(value, member);
  return typeof found === "string" ? found : undefined;
}

function memberIn(value: unknown, member: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, member)?.value;
}
