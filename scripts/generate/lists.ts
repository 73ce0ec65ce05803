import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatLimit, LIMITS } from "../../src/language/expressions/limits";
import { REFUSALS } from "../../src/language/expressions/refusals";
import { ROOT } from "./definitions";
import type { Generated } from "./files";

/** The lists in pages that are written by hand, between two comments with the name of the list. */
export function generatedLists(): Generated {
  return {
    files: new Map([
      page("docs/guides/engines.md", "refusals", refusalsList()),
      page("docs/reliability.md", "limits", limitsList()),
    ]),
    folders: [],
  };
}

function page(path: string, name: string, list: string): readonly [string, string] {
  const file = join(ROOT, path);
  const [before, after] = [`<!-- begin ${name}: npm run generate -->`, `<!-- end ${name} -->`];
  const text = readFileSync(file, "utf8");
  const start = text.indexOf(before);
  const end = text.indexOf(after);
  if (start < 0 || end < start) throw new Error(`${path} lacks "${before}" and "${after}"`);
  return [file, `${text.slice(0, start)}${before}\n\n${list}\n\n${text.slice(end)}`];
}

/** The refusals, with one item for each kind. Diagnostics have their reasons. */
function refusalsList(): string {
  const refusals = Object.values(REFUSALS);
  const kinds = [...new Set<string>(refusals.map(({ kind }) => kind))];
  return kinds
    .map((kind) => {
      const names = refusals.filter((one) => one.kind === kind).map(({ name }) => name);
      const list = names.map((name) => (name.includes("`") ? name : `\`${name}\``));
      return `- ${kind}: ${list.join("; ")}`;
    })
    .join("\n");
}

function limitsList(): string {
  return Object.values(LIMITS)
    .map((limit) => `- ${limit.of}: ${formatLimit(limit)}`)
    .join("\n");
}
