import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PAGES, prose, ROOT } from "./support/pages";

test("every link has a target, and every anchor a heading", () => {
  const lost = PAGES.flatMap((page) =>
    [...prose(page).matchAll(/\]\(([^)]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !isThere(page.path, target))
      .map((target) => `${page.path}: ${target}`),
  );
  expect(lost).toEqual([]);
});

function isThere(page: string, target: string): boolean {
  if (target.startsWith("https://")) return true;
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? join(ROOT, page) : join(ROOT, dirname(page), file);
  if (!existsSync(path)) return false;
  if (anchor === undefined) return true;
  const content = readFileSync(path, "utf8");
  return content.includes(`<a id="${anchor}"></a>`) || anchorsOf(content).includes(anchor);
}

/** The anchors that a forge gives to headings. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}

test.each([
  ["docs/README.md", /^docs\/(?:guides\/)?[\w-]+\.md$/],
  ["CONTRIBUTING.md", /^docs\/maintainers\/[\w-]+\.md$/],
])("%s has a link to every page that is written by hand", (index, written) => {
  const text = readFileSync(join(ROOT, index), "utf8");
  const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = ""]) => target);
  const listed = new Set([index, ...targets.map((target) => join(dirname(index), target))]);
  const pages = PAGES.filter(({ path }) => written.test(path)).map(({ path }) => path);
  expect(pages.filter((path) => !listed.has(path))).toEqual([]);
});

test("the pages of the package have no links to those of maintainers, which it leaves out", () => {
  const shipped = PAGES.filter(({ path }) =>
    /^(?:README|examples\/|docs\/(?!maintainers\/))/.test(path),
  );
  const links = shipped.flatMap((page) =>
    [...prose(page).matchAll(/\]\([^)\s]*maintainers\/[^)]*\)/g)].map(([link]) => page.path + link),
  );
  expect(links).toEqual([]);
});
