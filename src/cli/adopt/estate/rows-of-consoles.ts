import type { PlacedRow } from "../../../constructs/tenants/tenant-file";

/**
 * Returns a row for each address of a text: one on a line, `#` begins a comment. The name is the first
 * part of the host that differs in all of them, else the whole address.
 */
export function rowsOfConsoles(text: string): readonly PlacedRow[] {
  const lines = text.split(/\r?\n/).map((line, at) => ({
    url: line.replace(/#.*/, "").trim(),
    line: at + 1,
  }));
  const given = lines.filter(({ url }) => url !== "");
  const named = NAMINGS.map((naming) => given.map(({ url }) => naming(url)));
  const names =
    named.find((all) => new Set(all).size === all.length) ?? given.map(({ url }) => url);
  return given.map(({ url, line }, at) => ({
    row: { name: names[at] ?? url, url },
    line,
    origin: `line ${line}`,
  }));
}

/** A host is an IP address, or its first label is a name. */
const NAMINGS: readonly ((url: string) => string)[] = [
  (url) => (/^[\d.]+$|^\[/.test(host(url)) ? slug(host(url)) : slug(host(url).split(".")[0] ?? "")),
  (url) => slug(host(url)),
  (url) => slug(address(url)),
];

const address = (url: string) => url.replace(/^\w+:\/\//, "").replace(/\/+$/, "");
const host = (url: string) => address(url).replace(/[:/][^\]]*$/, "");

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, "-")
    .replaceAll(/^[-.]+|-$/g, "");
}
