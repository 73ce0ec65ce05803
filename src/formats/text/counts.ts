import type { ChangeCounts } from "../../core/documents/stack-plan";

/** `1 to import, 2 to add, 0 to change, 3 to destroy` */
export function formatCounts({ import: imports, add, change, destroy }: ChangeCounts): string {
  const imported = imports > 0 ? `${imports} to import, ` : "";
  return `${imported}${add} to add, ${change} to change, ${destroy} to destroy`;
}

/** `Apply complete! Resources: 1 added, 0 changed, 0 destroyed.` */
export function formatCompletion(
  operation: "apply" | "destroy" | "rollback",
  counts: ChangeCounts,
): string {
  const { import: imports, add, change, destroy } = counts;
  if (operation === "destroy") return `Destroy complete! Resources: ${destroy} destroyed.`;
  const imported = imports > 0 ? `${imports} imported, ` : "";
  const done = operation === "rollback" ? "Rollback" : "Apply";
  return `${done} complete! Resources: ${imported}${add} added, ${change} changed, ${destroy} destroyed.`;
}

/** `1 stack`, `12 stacks` */
export function formatStackCount(count: number): string {
  return count === 1 ? "1 stack" : `${count} stacks`;
}
