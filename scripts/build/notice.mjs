/**
 * The licences of what the bundles contain: NOTICE.txt, beside the bundles and in mirrors of the
 * provider.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Formats the notice of bundled files.
 *
 * @param inputs paths of source files, as esbuild lists them
 */
export function noticeOf(inputs) {
  const packages = new Map();
  for (const path of inputs) {
    // Files of the project are under its own licence.
    if (!path.startsWith("node_modules/")) continue;
    const folder = folderOf(path);
    packages.set(folder, [...(packages.get(folder) ?? []), path]);
  }
  const sections = [...packages].map(([folder, files]) => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const title = `${manifest.name} ${manifest.version} (${manifest.license})`;
    const text =
      licenceFiles(folder) || readmeSection(folder) || headers(files) || besideIt(folder, manifest);
    if (!text) throw new Error(`${title} has no text of its licence`);
    return `${title}\n\n${text.trim()}\n`;
  });
  return [INTRODUCTION, ...new Set(sections.sort())].join(`\n${"-".repeat(80)}\n\n`);
}

const INTRODUCTION = `cdktf-console is distributed under the Mozilla Public License 2.0.

Its programs contain the packages below, under these licences.
`;

/** The folder of the package that a file is in. Packages have further package.json files inside. */
function folderOf(path) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)[0];
}

function licenceFiles(folder) {
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)\b/i.test(name))
    .sort()
    .map((name) => textOf(join(folder, name)).trim())
    .join("\n\n");
}

function readmeSection(folder) {
  const name = readdirSync(folder).find((one) => /^readme\b/i.test(one));
  return name && /^(?:#+ licen[cs]e|licen[cs]e\n-+)$([^]+)/im.exec(textOf(join(folder, name)))?.[1];
}

/** The licence of another package of the same repository, which some repositories add to a part only. */
function besideIt(folder, { repository, license }) {
  const scope = dirname(folder);
  if (!basename(scope).startsWith("@")) return undefined;
  for (const name of readdirSync(scope)) {
    const other = join(scope, name);
    const manifest = JSON.parse(textOf(join(other, "package.json")));
    const isSame = manifest.repository?.url === repository.url && manifest.license === license;
    if (isSame && licenceFiles(other)) return licenceFiles(other);
  }
  return undefined;
}

/** The different comments about copyright at the start of files. */
function headers(files) {
  const comments = files.flatMap(
    (file) => /^(?:"use strict";\n)?((?:\/\/.*\n)+)/.exec(textOf(file))?.[1] ?? [],
  );
  const notices = comments.filter((text) => text.includes("Copyright"));
  return [...new Set(notices)].map((text) => text.replace(/^\/\/ ?/gm, "")).join("\n");
}

function textOf(file) {
  return readFileSync(file, "utf8").replace(/\r\n/g, "\n");
}
