import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { PAGES, prose, ROOT } from "./support/pages";

test("every link has a target, and every anchor a heading", () => {
  const lost = PAGES.flatMap((page) =>
    [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)]
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

test("the index has every page that is written by hand", () => {
  const index = readFileSync(join(ROOT, "docs/README.md"), "utf8");
  const listed = new Set([...index.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, path]) => path));
  const pages = PAGES.filter(({ path }) => /^docs\/(guides\/)?[\w-]+\.md$/.test(path))
    .map(({ path }) => relative("docs", path))
    .filter((path) => path !== "README.md");
  expect(pages.filter((path) => !listed.has(path))).toEqual([]);
});
