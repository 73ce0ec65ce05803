/** The style of the page, light or dark as the reader prefers, with rules for printing. */
export const CSS = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1b1f24, #e2e6ea);
  --muted: light-dark(#57606a, #a3adb8);
  --ground: light-dark(#ffffff, #14181d);
  --raised: light-dark(#f4f6f8, #1d232a);
  --border: light-dark(#8c959f, #6b7683);
  --link: light-dark(#0a58ca, #7db7ff);
  --added: light-dark(#0f6b2f, #6fdd8b);
  --changed: light-dark(#855300, #f0c05a);
  --removed: light-dark(#b3121f, #ff9a94);
  --moved: light-dark(#6a2fb5, #cba6ff);
  font: 16px/1.5 system-ui, sans-serif;
  color: var(--text);
  background: var(--ground);
}
body { max-width: 72rem; margin: 0 auto; padding: 0 1rem 3rem; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.3rem; margin-top: 2rem; }
h3 { font-size: 1.1rem; margin-top: 1.5rem; overflow-wrap: anywhere; }
h4, h5 { font-size: 1rem; margin: 0; display: inline; font-weight: 600; overflow-wrap: anywhere; }
h5 { display: block; margin-top: 0.5rem; }
summary > h5 { display: inline; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
[hidden] { display: none !important; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--ground); padding: 0.25rem 0.5rem; }
footer, .note { color: var(--muted); }
.note { margin: 0.25rem 0; overflow-wrap: anywhere; }
.scroll { overflow: auto; max-width: 100%; }
.scroll:has(> svg) { max-height: 80vh; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 0.25rem 0.75rem; border-bottom: 1px solid var(--border); }
.count { text-align: right; font-variant-numeric: tabular-nums; }
pre, code, .address, .name, svg text { font-family: ui-monospace, monospace; }
pre { font-size: 0.85rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.5rem 0; }
.warnings { border: 2px solid var(--changed); border-radius: 6px; padding: 0 1rem; margin-top: 1rem; }
.warnings h2 { margin-top: 0.75rem; }
.warnings li { margin: 0.2rem 0; overflow-wrap: anywhere; }
.failure { border: 2px solid var(--removed); border-radius: 6px; padding: 0 1rem; }
.failure .error pre { color: var(--removed); }
.weakens { color: var(--removed); font-weight: 700; }
.entries strong.weakens, summary strong.weakens { border: 1px solid currentcolor; border-radius: 4px; padding: 0 0.3rem; font-size: 0.85rem; }
#filters {
  display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: center;
  background: var(--raised); padding: 0.5rem 1rem; border-radius: 6px;
  position: sticky; top: 0; z-index: 1;
}
#filters p { margin: 0.25rem 0; }
#filters input, #filters select, #filters button { font: inherit; }
#filters label { margin-right: 0.4rem; }
#filters button { margin-right: 0.4rem; }
section.stack { content-visibility: auto; contain-intrinsic-size: auto 20rem; scroll-margin-top: 5rem; }
details { border: 1px solid var(--border); border-radius: 6px; margin: 0.4rem 0; }
details > summary { padding: 0.4rem 0.75rem; cursor: pointer; background: var(--raised); border-radius: 6px; }
.body { scroll-margin-top: 9rem; }
details > :not(summary) { margin-left: 0.75rem; margin-right: 0.75rem; }
.symbol { font-family: ui-monospace, monospace; font-weight: 700; }
.word { font-weight: 400; color: var(--muted); }
.create > summary .symbol, .added > .symbol, .diff .added { color: var(--added); }
.update > summary .symbol, .changed > .symbol, .diff .changed { color: var(--changed); }
.destroy > summary .symbol, .replace > summary .symbol, .removed > .symbol, .diff .removed { color: var(--removed); }
.diff .comment { color: var(--muted); }
.protection ul { padding-left: 1.25rem; margin: 0.25rem 0; }
.protection > ul { list-style: none; padding-left: 0; }
.protection li { overflow-wrap: anywhere; }
.protection .weaker > .symbol { color: var(--removed); }
.protection .stronger > .symbol { color: var(--added); }
.scope { font-family: ui-monospace, monospace; font-size: 0.9em; }
.entries ul { padding-left: 1.25rem; margin: 0.25rem 0; }
.entries > ul { list-style: none; padding-left: 0; }
.entry { content-visibility: auto; contain-intrinsic-size: auto 1.5rem; overflow-wrap: anywhere; }
.words { white-space: pre-wrap; }
svg { display: block; margin: 0.5rem 0; }
svg text { font-size: 12px; fill: var(--text); }
svg text.heading { font-weight: 700; }
svg rect { fill: var(--raised); stroke: var(--border); }
.cell.added rect, .node.create rect, .node.import rect { stroke: var(--added); stroke-width: 2; }
.cell.removed rect, .node.destroy rect, .node.replace rect { stroke: var(--removed); stroke-width: 2; }
.cell.changed rect, .node.update rect { stroke: var(--changed); stroke-width: 2; }
.cell.moved rect { stroke: var(--moved); stroke-width: 2; }
.cell.fold text { fill: var(--muted); }
.cell.fold rect { stroke-dasharray: 4 3; }
.link { stroke: var(--border); }
.link.moved { stroke: var(--moved); stroke-width: 2.5; }
.node .name { font-weight: 700; }
.arrow polyline { fill: none; stroke: var(--border); }
.arrow path { fill: var(--border); }
@media (max-width: 50rem) {
  #filters { position: static; }
  .body { scroll-margin-top: 1rem; }
}
@media print {
  #filters, .skip { display: none; }
  .scroll, .scroll:has(> svg) { overflow: visible; max-height: none; }
  svg { max-width: 100%; height: auto; }
  th, td { padding: 0.2rem 0.3rem; font-size: 0.8rem; overflow-wrap: anywhere; }
  th { overflow-wrap: normal; }
  section.stack, .entry { content-visibility: visible; }
  summary { break-after: avoid; }
}
`;
