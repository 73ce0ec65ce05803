import { htmlSafe } from "../../core/json/html-safe-json";

/** A JSON document about a stack. */
export interface StackDocument {
  readonly stack: string;
  /** JSON text. */
  readonly document: string;
}

/** Combines documents about several stacks, by the names of the stacks. */
export function combineDocuments(documents: readonly StackDocument[]): string {
  const members = documents.map(
    ({ stack, document }) => `${htmlSafe(JSON.stringify(stack))}:${document}`,
  );
  return `{"format_version":"1.0","stacks":{${members.join(",")}}}`;
}
