/** The labels that the app gave to a stack. */
export type StackLabels = Readonly<Record<string, string>>;

export function formatLabel(key: string, value: string): string {
  return `${key}=${value}`;
}
