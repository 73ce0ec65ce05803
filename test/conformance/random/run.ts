import { conformsIn, type Acted } from "../support/conform";
import { openSeats } from "../support/seat";
import { clock, steadyProviders } from "./steady-providers";
import { turnOf, type RandomStep } from "./step";

/**
 * Runs steps with both engines. Returns the first difference. A machine under load may not answer
 * Terraform's first call in time; the steps are run again then.
 */
export async function differenceIn(
  steps: readonly RandomStep[],
  observe?: (acted: Acted, step: number) => void,
  providers = steadyProviders,
): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    const difference = await firstDifference(steps, observe, providers);
    const isLoad = difference?.includes("Plugin did not respond") === true;
    if (!isLoad || attempt === ATTEMPTS) return difference;
  }
}

const ATTEMPTS = 5;

async function firstDifference(
  steps: readonly RandomStep[],
  observe: ((acted: Acted, step: number) => void) | undefined,
  providers: typeof steadyProviders,
): Promise<string | undefined> {
  const seats = await openSeats(providers);
  try {
    clock.step = 0;
    await conformsIn(seats, steps.map(turnOf), (acted, step) => {
      clock.step = step + 1;
      observe?.(acted, step);
    });
    return undefined;
  } catch (error) {
    return withoutColors((error as Error).message);
  }
}

function withoutColors(text: string): string {
  // oxlint-disable-next-line no-control-regex -- Jest colors its messages.
  return text.replace(/\u001b\[\d+m/g, "");
}
