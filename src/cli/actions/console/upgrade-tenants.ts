import type { Environment } from "../../../core/environment";
import { warning } from "../../../core/diagnostics";
import { memberOf } from "../../../core/member-of";
import { selectStacks } from "../../../fleet/selection/select-stacks";
import { shortStackList } from "../../../review/exclusions/exclusions-text";
import type { Upgrade } from "../../../upgrade/change";
import { findingsOfConsole } from "../../../upgrade/console-settings";
import type { UpgradeFinding } from "../../../upgrade/finding";
import { ExitCode } from "../../exit-code";
import { reportExcluded } from "../../stacks/exclusions";
import { readSelection, type SelectionOptions } from "../../stacks/selection";
import { consoleIn, listTenants, onTenants } from "../../stacks/tenant-consoles";
import type { Screen } from "../../terminal/screen";

/** The findings on the consoles of tenants. */
interface CheckedTenants {
  /** The tenants whose consoles were read. */
  readonly names: readonly string[];
  readonly findings: readonly UpgradeFinding[];
  readonly isComplete: boolean;
}

/** A file of tenants, and what selects some of them. */
interface SelectedTenants {
  readonly file: string;
  readonly names: readonly string[];
  readonly options: SelectionOptions;
}

/**
 * Reads the settings of the consoles of selected tenants.
 * Reports the tenants that cannot be read. Returns the exit code if none is read.
 */
export async function checkTenants(
  screen: Screen,
  { file, names, options }: SelectedTenants,
  wanted: Upgrade,
  environment: Environment,
): Promise<CheckedTenants | ExitCode> {
  const { terminal } = screen;
  const tenants = listTenants(terminal.directory, file);
  if ("problem" in tenants) return screen.fail(tenants.problem);
  const read = await readSelection(terminal, names, options);
  if ("problem" in read) return screen.fail(read.problem);
  const selected = selectStacks(tenants, read.selection, ({ labels }) => labels);
  if (screen.report(selected.diagnostics)) return ExitCode.ERROR;
  const others = selected.stacks.filter(({ row }) => {
    const release = "summary" in row ? undefined : memberOf(consoleIn(row), "release");
    return typeof release === "string" && release !== "auto" && release !== wanted.from;
  });
  if (others.length > 0) {
    const detail = `Their rows have another release than ${wanted.from}, so they are not checked: ${shortStackList(others.map(({ name }) => name))}.`;
    screen.report([warning("Tenants of other releases", detail)]);
  }
  const left = selected.stacks.filter((tenant) => !others.includes(tenant));
  const work = await onTenants(
    screen,
    left,
    async ({ client }, { name }, signal) => ({
      name,
      findings: await findingsOfConsole(client, wanted, signal),
    }),
    environment,
  );
  if (!work) return ExitCode.INTERRUPTED;
  const { found, excluded } = work;
  reportExcluded(screen, excluded);
  if (found.length === 0 && excluded.length > 0) return ExitCode.ERROR;
  return {
    names: found.map(({ name }) => name),
    findings: found.flatMap(({ name, findings }) =>
      findings.map((one) => ({ ...one, place: { ...one.place, tenant: name } })),
    ),
    isComplete: excluded.length === 0,
  };
}
