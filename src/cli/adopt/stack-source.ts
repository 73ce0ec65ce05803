import { entriesOf } from "../../provider/collections/contents";
import { DEFAULT_RELEASE, type Release } from "../../api/release";
import { isObjectValue } from "../../core/values";
import { printable } from "../../core/printed";
import { literalSource, stringSource, type LiteralObject } from "./literal-source";
import { propsOf } from "./props";
import type { Adopted } from "./read-console";

export interface AdoptedConsole {
  readonly baseUrl: string;
  readonly release: Release;
  /** Name of the stack. */
  readonly stack: string;
  readonly adopted: readonly Adopted[];
}

/** Returns the source of an app whose first plan imports the existing objects and changes nothing. */
export function stackSource({ baseUrl, release, stack, adopted }: AdoptedConsole): string {
  const taken = adopted.filter(isAdopted);
  const constructs = taken.map(({ resource }) => resource.construct);
  const imports = [...new Set(["ConsoleProvider", ...constructs])].sort();
  const provider = { baseUrl, ...(release !== DEFAULT_RELEASE && { release }) };
  return [
    `// Written by cdktf-console adopt, from ${printable(baseUrl)} (release ${release}).`,
    "// The first plan imports the existing objects and changes nothing. After the first apply, remove",
    "// the calls of importFrom.",
    'import { App, TerraformStack } from "cdktf";',
    ...importStatement(imports),
    "",
    "const app = new App();",
    `const stack = new TerraformStack(app, ${stringSource(stack)});`,
    "",
    "// The credentials and the certificate authority come from the environment (CONSOLE_USERNAME,",
    "// CONSOLE_PASSWORD, CONSOLE_CA_FILE, …) or from props:",
    '// username: "admin", password: Secret.fromEnv("CONSOLE_PASSWORD").',
    construction("ConsoleProvider", "console", provider),
    "",
    "// The API cannot read a license. This would install one and replace the existing license:",
    '// new License(stack, "license", { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") });',
    ...adopted.flatMap((one) => ["", ...leftOut(one), ...(isAdopted(one) ? adoption(one) : [])]),
    "",
    "app.synth();",
    "",
  ].join("\n");
}

/** Reports whether the collection has entries that a stack can manage. */
export function isAdopted({ count }: Adopted): boolean {
  return count > 0;
}

function importStatement(names: readonly string[]): readonly string[] {
  const line = `import { ${names.join(", ")} } from "cdktf-console";`;
  if (line.length <= 100) return [line];
  return ["import {", ...names.map((name) => `  ${name},`), '} from "cdktf-console";'];
}

function adoption({
  resource,
  collection,
  state,
  importId,
  unmanaged,
}: Adopted): readonly string[] {
  const { construct, attributes } = resource;
  const { constructId, list } = collection;
  const source = construction(construct, constructId, propsOf(attributes, state)).slice(0, -1);
  const notes = entriesOf(state, list).flatMap(({ credential }, index) =>
    isObjectValue(credential)
      ? [
          `// The secret of ${list}[${index}].credential cannot be read; the console keeps it. To change it,`,
          '// set secret or apiToken: Secret.fromEnv("NAME").',
        ]
      : [],
  );
  const kept =
    unmanaged.length === 0
      ? []
      : [
          "// A stack cannot contain these members. The console keeps them:",
          ...lines(unmanaged.map(({ name }) => name)),
        ];
  return [...kept, ...notes, `${source}.importFrom(${stringSource(importId)});`];
}

/** Comments with several names on a line. */
function lines(names: readonly string[]): readonly string[] {
  const texts: string[] = [];
  for (const name of names.map(printable)) {
    const last = texts.at(-1);
    const longer = `${last}, ${name}`;
    if (last === undefined || longer.length > 96) texts.push(`//   ${name}`);
    else texts.splice(-1, 1, longer);
  }
  return texts;
}

function leftOut({
  collection: { what },
  found,
  count,
  obstacles,
  unread,
}: Adopted): readonly string[] {
  if (unread) return [`// Not readable: ${printable(what)}. ${printable(unread.message)}`];
  if (found === 0) return [`// The console has no ${what}.`];
  if (obstacles.length === 0) return [];
  const left = count === 0 ? "" : `${found - count} of `;
  return [
    `// A stack cannot declare ${left}the console's ${what} as they are:`,
    ...obstacles.map(({ summary, detail }) => `// - ${printable(summary)}: ${printable(detail)}`),
  ];
}

function construction(construct: string, id: string, props: LiteralObject): string {
  const opening = `new ${construct}(stack, ${stringSource(id)}, `;
  return `${opening}${literalSource(props, 0, opening.length)});`;
}
