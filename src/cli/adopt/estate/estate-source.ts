import { stringify } from "yaml";
import { literal } from "../../../constructs/literal";
import { mapMembers, memberOf } from "../../../core/member-of";
import { printable } from "../../../core/printed";
import { isList, literalSource, stringSource, type Literal } from "../literal-source";
import { isObject } from "./differences";
import type { Estate } from "./estate";
import type { AdoptedTenant } from "./read-estate";

/** The texts of a program, by their paths in its folder. */
export type ProgramFiles = ReadonlyMap<string, string>;

/**
 * Returns the program of an estate: `main.ts` with the base line, `tenants.yaml` with a row for each
 * tenant, and the whole lists of those whose order overrides cannot express.
 *
 * @param folder - path of the program from the folder in which it runs
 */
export function estateFiles(
  estate: Estate,
  tenants: readonly AdoptedTenant[],
  folder: string,
  common: number,
): ProgramFiles {
  const lists = estate.tenants.flatMap(({ policies }, at) => {
    const name = tenants[at]?.row.name ?? "";
    return policies ? [[listFile(name), json(policies)] as const] : [];
  });
  return new Map([
    ["main.ts", mainSource(estate, tenants, `${folder}/tenants.yaml`, common)],
    ["tenants.yaml", rowsSource(estate, tenants)],
    ...lists,
  ]);
}

/** The file with all policies of a tenant. */
export function listFile(tenant: string): string {
  return `policies/${tenant}.json`;
}

function json(policies: readonly Literal[]): string {
  return `${JSON.stringify(escaped(policies), undefined, 2)}\n`;
}

function rowsSource({ tenants: found }: Estate, tenants: readonly AdoptedTenant[]): string {
  const rows = found.map(({ labels, overrides, policies }, at) => {
    const { row } = tenants[at] ?? {};
    const { name = "", url, project, consoleId, previousUrls, secrets = {}, values } = row ?? {};
    const { license: _, ...known } = secrets;
    return {
      name,
      url,
      ...(project !== undefined && { project }),
      ...(consoleId !== undefined && { consoleId }),
      ...(previousUrls !== undefined && { previousUrls }),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(known).length > 0 && { secrets: known }),
      ...(values && { values }),
      ...(policies && { policiesFile: listFile(name) }),
      ...(Object.keys(overrides).length > 0 && { settings: escaped(overrides) }),
    };
  });
  return stringify({ tenants: rows }, { lineWidth: 100, aliasDuplicateObjects: false });
}

/** Files have the texts that the constructs get: those of TypeScript are escaped by its writer. */
function escaped(value: Literal): Literal {
  if (typeof value === "string") return literal(value);
  if (isList(value)) return value.map(escaped);
  return isObject(value) ? mapMembers(value, escaped) : value;
}

function mainSource(
  { base, label, variants }: Estate,
  tenants: readonly AdoptedTenant[],
  file: string,
  common: number,
): string {
  const hasVariants = variants.size > 0;
  const types = ["TenantSettings", ...(hasVariants ? ["TenantOverrides"] : [])].sort();
  const names = ["ConsoleTenant", "TenantFleet", ...types.map((name) => `type ${name}`)];
  const member = /^[A-Za-z_$][\w$]*$/.test(label) ? `.${label}` : `[${stringSource(label)}]`;
  const overrides = hasVariants
    ? `[variants[tenant.labels${member} ?? ""] ?? {}, tenant.overrides]`
    : "tenant.overrides";
  const { common: ids, others } = importsOf(tenants);
  const elements = [...ids.keys()].sort();
  const id = (element: string) => {
    const usual = stringSource(ids.get(element) ?? "");
    const has = Object.values(others).some((own) => memberOf(own, element) !== undefined);
    return has ? `imports[tenant.name]?.${element} ?? ${usual}` : usual;
  };
  return [
    `// Written by cdktf-console adopt, from ${tenants.length} consoles. The first plan imports the existing objects and`,
    "// changes nothing. The credentials and the certificate authority come from the rows and from the",
    "// environment (CONSOLE_USERNAME, CONSOLE_PASSWORD, CONSOLE_CA_FILE, …).",
    'import { App } from "cdktf";',
    "import {",
    ...names.map((name) => `  ${name},`),
    '} from "cdktf-console";',
    "",
    `/** What at least ${Math.round(common * 100)}% of the tenants share. */`,
    constant("base: TenantSettings", base),
    ...(hasVariants
      ? [
          "",
          `/** What tenants change that have one value of the label ${printable(label)}. */`,
          constant(
            "variants: Record<string, TenantOverrides | undefined>",
            Object.fromEntries(variants),
          ),
        ]
      : []),
    ...(Object.keys(others).length > 0
      ? [
          "",
          "/** Imports of parts of lists. The console has other entries that a stack cannot declare. */",
          constant("imports: Record<string, Record<string, string> | undefined>", others),
        ]
      : []),
    "",
    "const app = new App();",
    `TenantFleet.fromFile(app, ${stringSource(file)}, (stack, tenant) => {`,
    `  const overrides = ${overrides};`,
    ...(elements.length === 0
      ? ['  new ConsoleTenant(stack, "tenant", { base, overrides });']
      : [
          '  const existing = new ConsoleTenant(stack, "tenant", { base, overrides });',
          "",
          "  // Remove these lines after the first apply.",
          ...elements.map((element) => `  existing.${element}?.importFrom(${id(element)});`),
        ]),
    "});",
    "app.synth();",
    "",
  ].join("\n");
}

function constant(declaration: string, value: Literal): string {
  const opening = `const ${declaration} = `;
  return `${opening}${literalSource(value, 0, opening.length)};`;
}

/** The import ID that most tenants have, by element, and the others by tenant. */
function importsOf(tenants: readonly AdoptedTenant[]) {
  const counts = new Map<string, Map<string, number>>();
  for (const [element, id] of tenants.flatMap(({ imports }) => Object.entries(imports))) {
    const ids = counts.get(element) ?? new Map<string, number>();
    counts.set(element, ids.set(id, (ids.get(id) ?? 0) + 1));
  }
  const common = new Map(
    [...counts].map(([element, ids]) => {
      const [[id] = [""]] = [...ids].sort(([, a], [, b]) => b - a);
      return [element, id];
    }),
  );
  const others = tenants.flatMap(({ row, imports }) => {
    const own = Object.entries(imports).filter(([element, id]) => common.get(element) !== id);
    return own.length === 0 ? [] : [[row.name, Object.fromEntries(own)] as const];
  });
  return { common, others: Object.fromEntries(others) };
}
