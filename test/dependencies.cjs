/**
 * The imports of a source for `jest --findRelatedTests`, `--watch` and `-o`. A suite that reaches a
 * page or a function only through the file that selects it is related to that file alone: pages and
 * functions have suites that import them.
 */
const SELECTING = [
  { file: /\/src\/cli\/stacks\/render-reviews\.ts$/, selects: "/review/html/" },
  { file: /\/src\/runtime\/expressions\/calls?\.ts$/, selects: "./functions/registry" },
];

module.exports = {
  extract(code, path, extract) {
    const found = extract(code);
    const selecting = SELECTING.find((one) => one.file.test(path.replaceAll("\\", "/")));
    return selecting
      ? new Set([...found].filter((name) => !name.includes(selecting.selects)))
      : found;
  },
  getCacheKey: () => SELECTING.map(({ file, selects }) => `${file} ${selects}`).join(),
};
