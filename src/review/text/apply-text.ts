import type { ChangeCounts } from "../../runtime/documents/plan";
import type { Style } from "./style";

/** `Apply complete! Resources: 1 added, 0 changed, 0 destroyed.` */
export function renderApplied(counts: ChangeCounts, style: Style): string {
  const { import: imported, add, change, destroy } = counts;
  const imports = imported > 0 ? `${imported} imported, ` : "";
  const done = `Resources: ${imports}${add} added, ${change} changed, ${destroy} destroyed.`;
  return style.bold(style.green(`Apply complete! ${done}`));
}

/** `Destroy complete! Resources: 2 destroyed.` */
export function renderDestroyed({ destroy }: ChangeCounts, style: Style): string {
  return style.bold(style.green(`Destroy complete! Resources: ${destroy} destroyed.`));
}
