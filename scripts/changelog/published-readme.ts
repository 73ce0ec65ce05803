const BLOCK = /<!-- begin: the release replaces this block -->[^]*?<!-- end -->/;

const PUBLISHED = `You need Node 20.18.1 or newer. These commands create a project, open the plan of its stack in the browser, and apply it to an embedded console:

\`\`\`sh
npx cdktf-console init my-console
cd my-console && npm run try && npm run try:apply
\`\`\``;

/** The README of a package that is in the registry: until then, it can only be had by a clone. */
export function publishedReadme(readme: string): string {
  return readme.replace(BLOCK, PUBLISHED);
}
