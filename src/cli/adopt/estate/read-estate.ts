import { DEFAULT_RELEASE } from "../../../api/release";
import type { TenantRow } from "../../../constructs/tenants/tenant-row";
import {
  consoleIn,
  onTenants,
  type ListedTenant,
  type WorkOnTenants,
} from "../../stacks/tenant-consoles";
import type { Screen } from "../../terminal/screen";
import type { LiteralObject } from "../literal-source";
import type { PolicyOwnership } from "../part";
import { propsOf } from "../props";
import { readConsole, type Adopted } from "../read-console";
import type { TenantLiteral } from "./base-line";

/** A tenant whose console was read. */
export interface AdoptedTenant {
  readonly row: TenantRow;
  readonly settings: TenantLiteral;
  /** The import IDs by element. */
  readonly imports: Readonly<Record<string, string>>;
  readonly adopted: readonly Adopted[];
}

/** The elements of a `ConsoleTenant` by the types of their resources. */
const ELEMENTS = new Map([
  ["cwp_compliance_policy_set", "policies"],
  ["cwp_registry_scan", "registryScan"],
  ["cwp_serverless_scan", "serverlessScan"],
  ["cwp_serverless_auto_deploy", "serverlessAutoDeploy"],
]);

/** Reads the consoles of tenants. Returns undefined if it was interrupted. */
export function readEstate(
  screen: Screen,
  tenants: readonly ListedTenant[],
  ownership: PolicyOwnership,
): Promise<WorkOnTenants<AdoptedTenant> | undefined> {
  return onTenants(screen, tenants, async (connection, row, signal) => {
    const adopted = await readConsole(connection, ownership, signal);
    const [first] = adopted;
    if (first?.unread && adopted.every(({ unread }) => unread)) throw first.unread;
    const { release = DEFAULT_RELEASE } = connection.client;
    return { row, ...settingsOf(row, adopted, release), adopted };
  });
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
  const console: LiteralObject = {
    ...(consoleIn(row) as LiteralObject),
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
