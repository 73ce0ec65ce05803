import { catalogue, type CatalogueKind } from "../../../src/api/catalogue/catalogue";

const COLUMNS = ["kind", "path", "key", "set by the console", "secrets", "public", "tried"];

/** Returns the table of the kinds that a generic resource manages; empty for all other resources. */
export function kindsSection(type: string): string {
  const rows = [...catalogue()].flatMap(([name, kind]) =>
    type === `cwp_${kind.form}` ? [rowOf(name, kind)] : [],
  );
  if (rows.length === 0) return "";
  const lines = [COLUMNS, COLUMNS.map(() => "---"), ...rows];
  const about =
    "`cwp_get` shows what it reads of a kind that is public. A kind that is not marked as tried has not been tried against a real console.";
  return `## Kinds\n\n${about}\n\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}`;
}

function rowOf(name: string, kind: CatalogueKind): readonly string[] {
  const { path, moved, since } = kind;
  const paths = [path, ...(moved ? [moved.path] : [])].map(code).join(", later ");
  const member = "member" in kind && kind.member !== undefined ? `, in ${code(kind.member)}` : "";
  return [
    code(name),
    `${paths}${member}${since === undefined ? "" : ` (since ${since})`}`,
    "key" in kind ? kind.key.map(code).join(", ") : "",
    kind.ignore.map(code).join(", "),
    kind.secrets.map(code).join(", "),
    kind.public ? "yes" : "",
    kind.tried ? "yes" : "",
  ];
}

function code(text: string): string {
  return `\`${text}\``;
}
