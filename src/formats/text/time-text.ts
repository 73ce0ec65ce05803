/** `2026-11-22 22:50 UTC`, of a time in ISO 8601 and UTC. */
export function formatMinute(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}
