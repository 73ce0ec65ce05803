import type { ChangeCounts } from "../plan/model";
import type { Style } from "./style";

/** `Apply complete! Resources: 1 added, 0 changed, 0 destroyed.` */
export function renderApplied({ add, change, destroy }: ChangeCounts, style: Style): string {
  const counts = `Resources: ${add} added, ${change} changed, ${destroy} destroyed.`;
  return style.bold(style.green(`Apply complete! ${counts}`));
}

/** `Destroy complete! Resources: 2 destroyed.` */
export function renderDestroyed({ destroy }: ChangeCounts, style: Style): string {
  return style.bold(style.green(`Destroy complete! Resources: ${destroy} destroyed.`));
}
