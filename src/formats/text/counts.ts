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
  if (operation === "destroy") return `Destroy complete! Resources: ${counts.destroy} destroyed.`;
  const done = operation === "rollback" ? "Rollback" : "Apply";
  return `${done} complete! Resources: ${formatDone(counts)}`;
}

/** `1 imported, 2 added, 0 changed, 3 destroyed.` */
export function formatDone({ import: imports, add, change, destroy }: ChangeCounts): string {
  const imported = imports > 0 ? `${imports} imported, ` : "";
  return `${imported}${add} added, ${change} changed, ${destroy} destroyed.`;
}

/** `1 stack`, `12 stacks` */
export function formatStackCount(count: number): string {
  return count === 1 ? "1 stack" : `${count} stacks`;
}
