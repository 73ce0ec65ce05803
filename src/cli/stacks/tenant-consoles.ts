import { resolve } from "node:path";
import { ConsoleError } from "../../api/errors";
import { propName } from "../../constructs/naming";
import { readTenants, sentenceOf, TenantFileError } from "../../constructs/tenants/tenant-file";
import type { TenantRow } from "../../constructs/tenants/tenant-row";
import { RefusedError } from "../../core/definitions/failure";
import { error, withParagraph, type Diagnostic } from "../../core/diagnostics";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { Environment } from "../../core/environment";
import { Limit } from "../../core/io/limit";
import { isRecord, mapMembers, memberOf } from "../../core/member-of";
import { joined, printed } from "../../core/printed";
import type { StackLabels } from "../../fleet/selection/labels";
import { configurationAttributes } from "../../provider/configuration/configuration-attributes";
import { connect } from "../../provider/configuration/configure";
import type { Console } from "../../provider/console/connection";
import { diagnose } from "../../provider/console/diagnose";
import type { Screen } from "../terminal/screen";

/** A tenant that a file lists: its row, or what is wrong with that. */
export interface ListedTenant {
  readonly name: string;
  readonly labels: StackLabels;
  readonly row: TenantRow | Diagnostic;
  /** The place of the row, as in `tenants.csv:3`. */
  readonly origin: string;
}

/** Reads the tenants of a file that are not removed. Returns an error if the whole file is wrong. */
export function listTenants(
  directory: string,
  file: string,
): readonly ListedTenant[] | { readonly problem: Diagnostic } {
  try {
    const { placed, faulty } = readTenants(resolve(directory, file));
    const present = placed.filter(({ row }) => row.removed !== true);
    const tenants = [
      ...present.map(({ row, line }) => listed(row, `${file}:${line}`)),
      ...faulty.map(({ name, labels, problems }): ListedTenant => {
        const lines = problems.map((one) => sentenceOf(file, one));
        const row = error("Invalid row of a tenant", joined(lines, "\n"));
        return { name, labels, row, origin: file };
      }),
    ];
    return tenants.length > 0
      ? tenants
      : { problem: error("No tenants", `${file} has no tenants.`) };
  } catch (failure) {
    if (!(failure instanceof TenantFileError)) throw failure;
    const lines = failure.message.split("\n");
    return { problem: error("Invalid file of tenants", joined(lines, "\n")) };
  }
}

export function listed(row: TenantRow, origin: string): ListedTenant {
  return { name: row.name, labels: row.labels ?? {}, row, origin };
}

const CONSOLES_AT_ONCE = 16;

/** The results of work on the consoles of tenants, in their order, and the tenants that it failed for. */
export interface WorkOnTenants<T> {
  readonly found: readonly T[];
  readonly excluded: readonly ExcludedStack[];
}

/**
 * Runs work on the console of each tenant, with the credentials of its row and of the environment.
 * Returns undefined if it was interrupted.
 */
export async function onTenants<T>(
  screen: Screen,
  tenants: readonly ListedTenant[],
  work: (console: Console, row: TenantRow, signal: AbortSignal) => Promise<T>,
  environment: Environment = screen.terminal.environment,
): Promise<WorkOnTenants<T> | undefined> {
  const { terminal, log } = screen;
  const interrupt = new AbortController();
  const release = terminal.onInterrupt(() => {
    interrupt.abort();
  });
  const workOn = async (
    row: TenantRow,
    origin: string,
  ): Promise<{ readonly found: T } | Diagnostic> => {
    const block = blockOf(row, environment);
    if ("problem" in block) return block.problem;
    const { connection, diagnostics } = await connect(block.values, {
      environment,
      log,
      directory: terminal.directory,
    });
    const problem = diagnostics.find(({ severity }) => severity === "error");
    if (problem) return withParagraph(problem, origin);
    if (!connection) return error("Console cannot be read", "It is not configured.");
    try {
      return { found: await work(connection, row, interrupt.signal) };
    } catch (failure) {
      if (failure instanceof RefusedError) return failure.diagnostic;
      if (!(failure instanceof ConsoleError)) throw failure;
      return diagnose(failure);
    } finally {
      await connection.client.close();
    }
  };
  const limit = new Limit(CONSOLES_AT_ONCE);
  try {
    screen.announce(printed`Reading ${tenants.length} consoles\n`);
    const ended = await Promise.all(
      tenants.map(async ({ name, row, origin }) => {
        const result = "summary" in row ? row : await limit.run(() => workOn(row, origin));
        return { name, result };
      }),
    );
    if (interrupt.signal.aborted) {
      screen.note(printed`\nInterrupted.\n`);
      return undefined;
    }
    return {
      found: ended.flatMap(({ result }) => ("found" in result ? [result.found] : [])),
      excluded: ended.flatMap(({ name, result }) =>
        "found" in result ? [] : [{ stack: name, diagnostics: [result] }],
      ),
    };
  } finally {
    release();
  }
}

/** The provider block of a row, with the secrets that it names. */
function blockOf(row: TenantRow, environment: Environment) {
  const { secrets = {} } = row;
  const props = consoleIn(row);
  const found = new Map<string, string>();
  for (const name of ["password", "token"]) {
    const variable = memberOf(secrets, name);
    if (variable === undefined) continue;
    const secret = environment[`TF_VAR_${variable}`] ?? memberOf(environment, variable);
    if (secret === undefined) {
      const detail = `The environment does not set ${variable}.`;
      return { problem: error("Secret was not found", detail) };
    }
    found.set(name, secret);
  }
  const previous = row.previousUrls;
  const own = new Map<string, unknown>([
    ...found,
    ["base_url", row.url],
    ["project", row.project],
    ["console_id", row.consoleId],
    ["previous_base_urls", typeof previous === "string" ? previous.split(/[\s,;]+/) : previous],
  ]);
  const values = mapMembers(configurationAttributes, (_, name) => {
    // The row was checked by its schema: it has values of these types.
    return (own.get(name) ?? memberOf(props, propName(name)) ?? null) as string | null;
  });
  return { values };
}

/** The props of the console in the settings of a row. */
export function consoleIn({ settings }: TenantRow): Readonly<Record<string, unknown>> {
  const given = isRecord(settings) ? memberOf(settings, "console") : undefined;
  return isRecord(given) ? given : {};
}
