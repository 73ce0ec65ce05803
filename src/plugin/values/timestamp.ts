/** A moment as the protocol has it. */
export function encodeTimestamp(
  moment: Date | undefined,
): { readonly seconds: number; readonly nanos: number } | undefined {
  if (!moment) return undefined;
  const milliseconds = moment.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanos: (milliseconds - seconds * 1000) * 1_000_000 };
}
