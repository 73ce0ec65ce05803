import { existsSync } from "node:fs";
import { join } from "node:path";
import { configurationAttributes } from "../../src/provider/configuration/configuration-attributes";
import { constructClass, providerInputs } from "./constructs/class";
import type { GeneratedClass, GeneratedConstruct } from "./constructs/construct";
import { constructInterfaces } from "./constructs/interfaces";
import { dataConstructOf, kebabCase, ROOT, type Definitions } from "./definitions";
import { readExample, withoutImports } from "./docs/example";
import { formatted, type Generated } from "./files";

const CONSTRUCTS = join(ROOT, "src/constructs");
const FOLDER = join(CONSTRUCTS, "generated");

const PROVIDER: GeneratedConstruct = {
  name: "ConsoleProvider",
  kind: "provider",
  description:
    "The address of a console and the credentials. Each prop that is not set comes from the environment of whoever plans and applies, then from its default.",
  attributes: configurationAttributes,
};

/**
 * src/constructs/generated/: a file for each construct with its props, its computed attributes and
 * its class, and an index. Interfaces are generated because mapped types lose doc comments.
 */
export async function constructs(definitions: Definitions): Promise<Generated> {
  const classes = classesOf(definitions);
  const files = await formatted({
    [fileOf(PROVIDER)]: providerFile(),
    ...Object.fromEntries(classes.map((one) => [fileOf(one), constructFile(one)])),
    [join(FOLDER, "index.ts")]: indexFile([PROVIDER, ...classes]),
  });
  return { files, folders: [FOLDER] };
}

function classesOf({ resources, dataSources }: Definitions): readonly GeneratedClass[] {
  return [
    ...resources.map(({ definition, module, exported }): GeneratedClass => {
      const { type, construct, collection, description, attributes } = definition;
      return {
        name: construct,
        kind:
          collection !== undefined || definition.placeOf !== undefined ? "collection" : "resource",
        type,
        description,
        attributes,
        module: `resources/${module}`,
        exported,
        example: withoutImports(readExample(`resources/${type}/resource`).typescript),
      };
    }),
    ...dataSources.map(({ definition, module, exported }): GeneratedClass => {
      const { type, description, attributes } = definition;
      return {
        name: dataConstructOf(type),
        kind: "data-source",
        type,
        description,
        attributes,
        module: `data-sources/${module}`,
        exported,
        example: withoutImports(readExample(`data-sources/${type}/data-source`).typescript),
      };
    }),
  ];
}

function fileOf({ name }: GeneratedConstruct): string {
  return join(FOLDER, `${kebabCase(name)}.ts`);
}

/** The source of a construct's file, not formatted. */
export function constructFile(construct: GeneratedClass): string {
  const source = `${constructInterfaces(construct)}\n\n${constructClass(construct)}`;
  return [
    importsOf(source),
    `import { ${construct.exported} as definition } from "../../provider/${construct.module}";`,
    "",
    source,
  ].join("\n");
}

function providerFile(): string {
  const source = `${constructInterfaces(PROVIDER)}\n\n${providerInputs(PROVIDER)}`;
  return [importsOf(source), "", source].join("\n");
}

const IMPORTS: readonly (readonly [
  from: string,
  values: readonly string[],
  types: readonly string[],
])[] = [
  ["cdktf", ["TerraformProvider"], ["BooleanMap", "IResolvable"]],
  ["constructs", [], ["Construct"]],
  ["../computed", ["computedOf"], ["ComputedList"]],
  ["../collection-resource", ["CollectionResource"], []],
  ["../console-data-source", ["ConsoleDataSource"], ["ConsoleDataSourceProps"]],
  ["../console-resource", ["ConsoleResource"], ["ConsoleResourceProps"]],
  ["../secret", [], ["Secret"]],
  ["../tokens", [], ["OneOf", "OrToken"]],
];

/** Imports of the names that the code of the source has. */
function importsOf(source: string): string {
  const code = source.replace(/\/\*\*.*?\*\//gs, "");
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(code);
  return IMPORTS.flatMap(([from, values, types]) => {
    const [usedValues, usedTypes] = [values.filter(isUsed), types.filter(isUsed)];
    if (usedValues.length + usedTypes.length === 0) return [];
    return usedValues.length === 0
      ? [`import type { ${usedTypes.join(", ")} } from "${from}";`]
      : [
          `import { ${[...usedValues, ...usedTypes.map((name) => `type ${name}`)].join(", ")} } from "${from}";`,
        ];
  }).join("\n");
}

/** Exports each construct; a class of the same name in src/constructs replaces the generated one. */
function indexFile(all: readonly GeneratedConstruct[]): string {
  return [...all]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) => {
      const file = kebabCase(name);
      return existsSync(join(CONSTRUCTS, `${file}.ts`))
        ? [`export type * from "./${file}";`, `export { ${name} } from "../${file}";`]
        : [`export * from "./${file}";`];
    })
    .join("\n");
}
