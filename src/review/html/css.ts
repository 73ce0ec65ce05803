/** The style of the page, light or dark as the reader prefers, with rules for printing. */
export const CSS = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1b1f24, #e2e6ea);
  --muted: light-dark(#57606a, #a3adb8);
  --ground: light-dark(#f6f7f9, #0f1318);
  --raised: light-dark(#ffffff, #181e25);
  --sunken: light-dark(#eef1f4, #212932);
  --border: light-dark(#d0d7de, #36414d);
  --strong-border: light-dark(#8c959f, #6b7683);
  --link: light-dark(#0a58ca, #7db7ff);
  --added: light-dark(#0f6b2f, #6fdd8b);
  --changed: light-dark(#855300, #f0c05a);
  --removed: light-dark(#b3121f, #ff9a94);
  --moved: light-dark(#6a2fb5, #cba6ff);
  --weaker-ground: light-dark(#fdecec, #3a1a1c);
  --stronger-ground: light-dark(#e9f7ee, #14301e);
  --shade: light-dark(rgb(27 31 36 / 30%), rgb(226 230 234 / 35%));
  font: 16px/1.5 system-ui, sans-serif;
  color: var(--text);
  background: var(--ground);
}
* { box-sizing: border-box; }
body { max-width: 96rem; margin: 0 auto; padding: 0 clamp(0.75rem, 2vw, 2rem) 3rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1.5rem 0 0.25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 1.75rem 0 0.5rem; }
h3 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
h4, h5 { font-size: 1rem; margin: 0; display: inline; font-weight: 600; overflow-wrap: anywhere; }
h5 { display: block; margin-top: 0.5rem; }
summary > h5 { display: inline; }
a { color: var(--link); }
p { margin: 0.5rem 0; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
[hidden] { display: none !important; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--raised); padding: 0.25rem 0.5rem; z-index: 2; }
footer, .note { color: var(--muted); }
.note { margin: 0.25rem 0; overflow-wrap: anywhere; }
.facts { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1.25rem; color: var(--muted); overflow-wrap: anywhere; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: 0.6rem; margin: 1rem 0; }
.card { background: var(--raised); border: 1px solid var(--border); border-top: 4px solid var(--strong-border); border-radius: 8px; padding: 0.5rem 0.8rem; display: flex; flex-direction: column-reverse; }
.card dt { color: var(--muted); font-size: 0.85rem; }
.card dd { margin: 0; font-size: 1.6rem; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums; }
.card.none dd { color: var(--muted); font-weight: 400; }
.card.added { border-top-color: var(--added); }
.card.changed { border-top-color: var(--changed); }
.card.removed { border-top-color: var(--removed); }
.card.weaker { border-color: var(--removed); background: var(--weaker-ground); }
.card.weaker dt, .card.weaker dd { color: var(--removed); }
.card.stronger { border-top-color: var(--added); background: var(--stronger-ground); }
.card.stronger dd { color: var(--added); }
.scroll { overflow: auto; max-width: 100%; }
.scroll:has(> svg) { max-height: 80vh; }
.scroll.table {
  border: 1px solid var(--border); border-radius: 8px; max-height: 70vh;
  background:
    linear-gradient(to right, var(--raised) 40%, transparent) left / 3rem 100% local,
    linear-gradient(to left, var(--raised) 40%, transparent) right / 3rem 100% local,
    linear-gradient(to right, var(--shade), transparent) left / 0.9rem 100% scroll,
    linear-gradient(to left, var(--shade), transparent) right / 0.9rem 100% scroll,
    var(--raised);
  background-repeat: no-repeat;
}
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.35rem 0.75rem; border-bottom: 1px solid var(--border); }
tbody tr:last-child > * { border-bottom: 0; }
tbody th { font-weight: 600; }
thead th { position: sticky; top: 0; background: var(--sunken); font-size: 0.85rem; }
.count { text-align: right; font-variant-numeric: tabular-nums; }
td.none { color: var(--muted); }
pre, code, .address, .path, .name, svg text { font-family: ui-monospace, monospace; }
pre { font-size: 0.85rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.5rem 0; }
.warnings, .failure, .verdict { background: var(--raised); border: 1px solid var(--changed); border-left-width: 5px; border-radius: 8px; padding: 0 1rem; margin-top: 1rem; }
.warnings:has(.weakens), .failure { border-color: var(--removed); }
.warnings h2, .verdict h2 { margin-top: 0.75rem; }
.warnings ul { padding-left: 1.25rem; }
.warnings li, .verdict li { margin: 0.2rem 0; overflow-wrap: anywhere; }
.warnings li ul, .verdict ul { padding-left: 1.1rem; }
li details { background: none; border: 0; margin: 0; }
li details > summary { padding: 0; color: var(--muted); }
h4 > code { font-weight: 400; font-size: 0.85rem; }
.failure .error pre { color: var(--removed); }
.weakens { color: var(--removed); font-weight: 700; }
.drifted { color: var(--changed); }
.entries strong.weakens, summary strong.weakens { border: 1px solid currentcolor; border-radius: 4px; padding: 0 0.3rem; font-size: 0.85rem; }
#filters, #controls { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: center; }
#filters {
  background: var(--sunken); border: 1px solid var(--border); border-radius: 8px;
  padding: 0.4rem 0.8rem; margin-top: 1rem; position: sticky; top: 0; z-index: 1;
}
#filters p { margin: 0.2rem 0; }
#filters .search { flex: 1 1 14rem; min-width: 0; max-width: 100%; display: flex; gap: 0.4rem; align-items: center; }
#search { flex: 1; min-width: 0; width: 4rem; }
#filters input, #filters select, #filters button { font: inherit; }
#filters select { max-width: 16rem; }
#filters label, #filters button { margin-right: 0.4rem; }
#more { display: none; }
section.stack { content-visibility: auto; contain-intrinsic-size: auto 20rem; scroll-margin-top: 5rem; margin-bottom: 1.5rem; }
details { background: var(--raised); border: 1px solid var(--border); border-radius: 8px; margin: 0.5rem 0; }
details > summary { padding: 0.45rem 0.75rem; cursor: pointer; border-radius: 8px; }
details[open] > summary { border-bottom: 1px solid var(--border); border-radius: 8px 8px 0 0; }
details > summary:hover { background: var(--sunken); }
details.change { border-left: 5px solid var(--strong-border); }
details.create, details.import { border-left-color: var(--added); }
details.update { border-left-color: var(--changed); }
details.destroy, details.replace, details[data-weakens="yes"] { border-left-color: var(--removed); }
.body { scroll-margin-top: 9rem; padding-bottom: 0.5rem; }
details > :not(summary) { margin-left: 0.75rem; margin-right: 0.75rem; }
.symbol { font-family: ui-monospace, monospace; font-weight: 700; }
.word { font-weight: 400; color: var(--muted); }
.create > summary .symbol, .added > .symbol, .diff .added { color: var(--added); }
.update > summary .symbol, .changed > .symbol, .diff .changed { color: var(--changed); }
.destroy > summary .symbol, .replace > summary .symbol, .removed > .symbol, .diff .removed { color: var(--removed); }
.diff .comment { color: var(--muted); }
.protection { background: var(--sunken); border-radius: 6px; padding: 0.4rem 0.8rem; margin-top: 0.6rem; }
.protection h5 { margin-top: 0; }
.protection ul { padding-left: 1.25rem; margin: 0.25rem 0; }
.protection > ul { list-style: none; padding-left: 0; }
.protection li { overflow-wrap: anywhere; }
.protection .weaker > .symbol { color: var(--removed); }
.protection .stronger > .symbol { color: var(--added); }
.whole { display: inline-block; max-width: 100%; overflow-wrap: anywhere; }
.scope { font-family: ui-monospace, monospace; font-size: 0.9em; }
.entries ul { padding-left: 1.25rem; margin: 0.25rem 0; }
.entries > ul { list-style: none; padding-left: 0; }
.entry { content-visibility: auto; contain-intrinsic-size: auto 1.5rem; overflow-wrap: anywhere; }
.words { white-space: pre-wrap; }
svg { display: block; margin: 0.5rem 0; }
svg text { font-size: 12px; fill: var(--text); }
svg text.heading { font-weight: 700; }
svg rect { fill: var(--sunken); stroke: var(--strong-border); }
.cell.added rect { stroke: var(--added); stroke-width: 2; }
.cell.removed rect { stroke: var(--removed); stroke-width: 2; }
.cell.changed rect { stroke: var(--changed); stroke-width: 2; }
.cell.moved rect { stroke: var(--moved); stroke-width: 2; }
.cell.fold text { fill: var(--muted); }
.cell.fold rect { stroke-dasharray: 4 3; }
.link { stroke: var(--strong-border); }
.link.moved { stroke: var(--moved); stroke-width: 2.5; }
@media (max-width: 50rem) {
  #more { display: inline-block; }
  #filters:not(.open) #controls, #filters:not(.open) #shown { display: none; }
  .cards { grid-template-columns: repeat(auto-fill, minmax(5.2rem, 1fr)); gap: 0.4rem; }
  .card { padding: 0.35rem 0.55rem; }
  .card dd { font-size: 1.3rem; }
  details > :not(summary) { margin-left: 0.5rem; margin-right: 0.5rem; }
}
@media print {
  :root { --ground: #ffffff; }
  body { max-width: none; padding: 0; }
  #filters, .skip { display: none; }
  .scroll, .scroll.table, .scroll:has(> svg) { overflow: visible; max-height: none; background: none; }
  thead th { position: static; }
  svg { max-width: 100%; height: auto; }
  th, td { padding: 0.2rem 0.3rem; font-size: 0.8rem; overflow-wrap: anywhere; }
  th { overflow-wrap: normal; }
  section.stack, .entry { content-visibility: visible; }
  summary, h2, h3 { break-after: avoid; }
  .card, tr { break-inside: avoid; }
}
`;
