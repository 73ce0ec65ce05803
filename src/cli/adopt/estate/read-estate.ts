import { ConsoleError } from "../../../api/errors";
import { DEFAULT_RELEASE } from "../../../api/release";
import { propName } from "../../../constructs/naming";
import type { PlacedRow } from "../../../constructs/tenants/tenant-file";
import type { TenantRow } from "../../../constructs/tenants/tenant-row";
import { RefusedError } from "../../../core/definitions/failure";
import { error, hasErrors, type Diagnostic } from "../../../core/diagnostics";
import type { Environment } from "../../../core/environment";
import { Limit } from "../../../core/io/limit";
import type { Log } from "../../../core/io/log";
import { isRecord, mapMembers, memberOf } from "../../../core/member-of";
import { configurationAttributes } from "../../../provider/configuration/configuration-attributes";
import { connect } from "../../../provider/configuration/configure";
import { diagnose } from "../../../provider/console/diagnose";
import type { LiteralObject } from "../literal-source";
import type { PolicyOwnership } from "../part";
import { propsOf } from "../props";
import { readConsole, type Adopted } from "../read-console";
import type { Settings } from "./base-line";

/** A tenant whose console was read. */
export interface AdoptedTenant {
  readonly row: TenantRow;
  readonly settings: Settings;
  /** The import IDs by element. */
  readonly imports: Readonly<Record<string, string>>;
  readonly adopted: readonly Adopted[];
}

/** A tenant whose console could not be read. */
export interface UnreadTenant {
  readonly row: TenantRow;
  readonly problem: Diagnostic;
}

/** The elements of a `ConsoleTenant` by the types of their resources. */
const ELEMENTS = new Map([
  ["cwp_compliance_policy_set", "policies"],
  ["cwp_registry_scan", "registryScan"],
  ["cwp_serverless_scan", "serverlessScan"],
  ["cwp_serverless_auto_deploy", "serverlessAutoDeploy"],
]);

const CONSOLES_AT_ONCE = 16;

/** Reads the consoles of the rows, each by the credentials of its row and of the environment. */
export async function readEstate(
  rows: readonly PlacedRow[],
  ownership: PolicyOwnership,
  { environment, directory }: { readonly environment: Environment; readonly directory: string },
  log: Log,
  signal: AbortSignal,
): Promise<readonly (AdoptedTenant | UnreadTenant)[]> {
  const limit = new Limit(CONSOLES_AT_ONCE);
  const read = async (row: TenantRow): Promise<AdoptedTenant | UnreadTenant> => {
    const block = blockOf(row, environment);
    if ("problem" in block) return { row, problem: block.problem };
    const { connection, diagnostics } = await connect(block.values, environment, log, directory);
    const found = diagnostics.find(({ severity }) => severity === "error");
    if (!connection || found || hasErrors(diagnostics)) {
      return { row, problem: found ?? error("Console cannot be read", "It is not configured.") };
    }
    try {
      const adopted = await readConsole(connection, ownership, signal);
      const [first] = adopted;
      if (first?.unread && adopted.every(({ unread }) => unread)) throw first.unread;
      const { release = DEFAULT_RELEASE } = connection.client;
      return { row, ...settingsOf(row, adopted, release), adopted };
    } catch (failure) {
      if (failure instanceof RefusedError) return { row, problem: failure.diagnostic };
      if (!(failure instanceof ConsoleError)) throw failure;
      return { row, problem: diagnose(failure) };
    } finally {
      await connection.client.close();
    }
  };
  return Promise.all(rows.map(({ row }) => limit.run(() => read(row))));
}

/** The provider block of a row, with the secrets that it names. */
function blockOf(row: TenantRow, environment: Environment) {
  const { secrets = {} } = row;
  const given = memberOf(settingsIn(row), "console");
  const props = isRecord(given) ? given : {};
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

function settingsIn({ settings }: TenantRow): Readonly<Record<string, unknown>> {
  return isRecord(settings) ? settings : {};
}

function settingsOf(
  row: TenantRow,
  adopted: readonly Adopted[],
  release: string,
): Pick<AdoptedTenant, "settings" | "imports"> {
  const found = adopted.flatMap(({ resource, state, count, importId }) => {
    const element = ELEMENTS.get(resource.type);
    if (element === undefined || count === 0) return [];
    return [{ element, importId, props: propsOf(resource.attributes, state) }];
  });
  const given = memberOf(settingsIn(row), "console");
  const console: LiteralObject = {
    ...(isRecord(given) ? (given as LiteralObject) : {}),
    ...(release !== DEFAULT_RELEASE && { release }),
  };
  return {
    settings: {
      ...(Object.keys(console).length > 0 && { console }),
      ...Object.fromEntries(found.map(({ element, props }) => [element, props])),
    },
    imports: Object.fromEntries(found.map(({ element, importId }) => [element, importId])),
  };
}
