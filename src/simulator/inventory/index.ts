import { containersIn, type Container, type Image } from "./container-inventory";
import { discoveredIn, functionsIn, type Discovered, type ServerlessFunction } from "./cloud";
import { Random } from "./random";

export { COMPLIANCE_CHECKS, type ComplianceCheck } from "./checks";
export { HOSTS, type Binary, type Container, type Image } from "./container-inventory";
export { CUSTOM_RULES } from "./custom-rules";
export { DISCOVERY_ERRORS, type Discovered, type ServerlessFunction } from "./cloud";

/** What the console's defenders and scanners have found. Nothing in it ever changes. */
export interface Inventory {
  readonly images: readonly Image[];
  readonly containers: readonly Container[];
  readonly functions: readonly ServerlessFunction[];
  readonly discovered: readonly Discovered[];
}

const made = new Map<string, Inventory>();

/** The same for the same seed; made when it is asked for first, and shared from then on. */
export function inventoryOf(seed: string): Inventory {
  const known = made.get(seed);
  if (known) return known;
  const inventory = {
    ...containersIn(new Random(`${seed}/containers`)),
    functions: functionsIn(new Random(`${seed}/functions`)),
    discovered: discoveredIn(new Random(`${seed}/discovery`)),
  };
  made.set(seed, inventory);
  return inventory;
}
