import { conformsIn, type Acted } from "../support/conform";
import type { Seat } from "../support/seat";
import { turnOf, type RandomStep } from "./step";

export type Seats = readonly [Seat, Seat];

/** Runs steps with both engines. Returns the first difference. */
export async function differenceIn(
  seats: Seats,
  steps: readonly RandomStep[],
  observe?: (acted: Acted, step: number) => void,
): Promise<string | undefined> {
  try {
    await conformsIn(seats, steps.map(turnOf), observe);
    return undefined;
  } catch (error) {
    return withoutColors((error as Error).message);
  }
}

function withoutColors(text: string): string {
  // eslint-disable-next-line no-control-regex -- Jest colors its messages.
  return text.replace(/\u001b\[\d+m/g, "");
}
