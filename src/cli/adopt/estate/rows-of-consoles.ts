import type { TenantRow } from "../../../constructs/tenants/tenant-row";

/**
 * Returns a row for each address of a text: one on a line, `#` begins a comment. The name is the first
 * part of the host that differs in all of them, else the whole address.
 */
export function rowsOfConsoles(text: string): readonly TenantRow[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*/, "").trim());
  const given = lines.filter((line) => line !== "");
  const named = NAMINGS.map((naming) => given.map(naming));
  const names = named.find((all) => new Set(all).size === all.length) ?? given;
  return given.map((url, at) => ({ name: names[at] ?? url, url }));
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
