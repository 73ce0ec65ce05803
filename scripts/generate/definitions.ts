import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { COLLECTION_KINDS } from "../../src/api/collections";
import type { ListedDataSource, ListedResource } from "../../src/provider/listing";

export const ROOT = resolve(__dirname, "../..");

/** A definition and its export. */
export interface Found<Definition> {
  readonly definition: Definition;
  /** The file's name without its ending: `license`. */
  readonly module: string;
  /** The name of the export: `license`. */
  readonly exported: string;
}

export interface Definitions {
  readonly resources: readonly Found<ListedResource>[];
  readonly dataSources: readonly Found<ListedDataSource>[];
}

const SETUP_ORDER = ["bootstrap", "license", undefined];

/** Loads the definitions in src/provider/resources and src/provider/data-sources. */
export async function findDefinitions(): Promise<Definitions> {
  const resources = await definitionsIn<ListedResource>("resources");
  const stage = ({ definition }: Found<ListedResource>) => SETUP_ORDER.indexOf(definition.setup);
  return {
    resources: resources.sort((a, b) => stage(a) - stage(b)),
    dataSources: await definitionsIn<ListedDataSource>("data-sources"),
  };
}

/** Loads the definitions of a folder, in alphabetical order. */
async function definitionsIn<Definition>(folder: string): Promise<Found<Definition>[]> {
  const path = join(ROOT, "src/provider", folder);
  const modules = readdirSync(path)
    .map((file) => basename(file, ".ts"))
    .filter((module) => module !== "index")
    .sort();
  const found = modules.map(async (module) => {
    const exports = (await import(join(path, `${module}.ts`))) as Record<string, unknown>;
    return Object.entries(exports).flatMap(([exported, definition]) =>
      isDefinition(definition) ? [{ definition: definition as Definition, module, exported }] : [],
    );
  });
  return (await Promise.all(found)).flat();
}

function isDefinition(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value && "attributes" in value;
}

/** Returns a line for each part that a definition lacks, with the file to add. */
export function missingParts({ resources, dataSources }: Definitions): readonly string[] {
  const managed = resources.map(({ definition: { collection } }) => collection?.kind);
  const unmanaged = COLLECTION_KINDS.filter((kind) => !managed.includes(kind));
  const changes = textOfChanges();
  return [
    ...unmanaged.map(
      (kind) =>
        `The collection ${kind} has no resource: add src/provider/resources/${kebabCase(kind)}.ts`,
    ),
    ...resources.flatMap(({ definition, module }) => {
      const { type, category, construct, sample, insteadOfImport } = definition;
      const { importExample, importId = importExample } = definition;
      const file = `src/provider/resources/${module}.ts`;
      const tests = [`${nameOf(type)}.test.ts`, nameOf(type)];
      const isImportable = (importId ?? insteadOfImport) !== undefined;
      return [
        ...missingMembers(type, file, { category, construct, sample }),
        ...(isImportable
          ? []
          : [`${type} has no import and no insteadOfImport: add one to ${file}`]),
        ...missingExample(type, "resource"),
        ...(tests.some((test) => existsSync(join(ROOT, "test/provider/resources", test)))
          ? []
          : [`${type} has no test: add test/provider/resources/${nameOf(type)}.test.ts`]),
        ...(changes.includes(`\`${type}\``) || changes.includes(`\`${construct}\``)
          ? []
          : [`${type} is in no list of changes: add changes/${nameOf(type)}.md`]),
      ];
    }),
    ...dataSources.flatMap(({ definition: { type, category }, module }) => [
      ...missingMembers(type, `src/provider/data-sources/${module}.ts`, { category }),
      ...missingExample(type, "data-source"),
    ]),
  ];
}

// The compiler reports them too, but `npm run generate` often runs first.
function missingMembers(type: string, file: string, members: object): readonly string[] {
  return Object.entries(members)
    .filter(([, value]) => value === undefined)
    .map(([name]) => `${type} has no ${name}: add it to ${file}`);
}

function missingExample(type: string, kind: "resource" | "data-source"): readonly string[] {
  const files = ["ts", "tf"].map((ending) => `examples/${kind}s/${type}/${kind}.${ending}`);
  const missing = files.filter((file) => !existsSync(join(ROOT, file)));
  return missing.length === 0 ? [] : [`${type} has no example: add ${missing.join(" and ")}`];
}

/** `cwp_compliance_policy_set` → `compliance-policy-set`. */
export function nameOf(type: string): string {
  return type.replace(/^cwp_/, "").replaceAll("_", "-");
}

/** `CompliancePolicySet` → `compliance-policy-set`. */
export function kebabCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, "-$&").toLowerCase();
}

/** The construct of a data source: `cwp_container_labels` → `DataConsoleContainerLabels`. */
export function dataConstructOf(type: string): string {
  return type
    .replace(/^cwp/, "data_console")
    .replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The changelog, and the changes that the next release adds to it. */
function textOfChanges(): string {
  const added = readdirSync(join(ROOT, "changes")).map((file) => join("changes", file));
  return ["CHANGELOG.md", ...added]
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
}
