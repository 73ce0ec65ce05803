import { containersIn, type InventoryContainer, type InventoryImage } from "./container-inventory";
import { discoveredIn, functionsIn, type Discovered, type SimulatedFunction } from "./cloud";
import { Random } from "./random";

export { COMPLIANCE_CHECKS, type SimulatedCheck as ComplianceCheck } from "./checks";
export {
  HOSTS,
  type Binary,
  type InventoryContainer as Container,
  type InventoryImage as Image,
} from "./container-inventory";
export { CUSTOM_RULES } from "./custom-rules";
export {
  DISCOVERY_ERRORS,
  type Discovered,
  type SimulatedFunction as ServerlessFunction,
} from "./cloud";

/** Findings of the console's defenders and scanners. Immutable. */
export interface Inventory {
  readonly images: readonly InventoryImage[];
  readonly containers: readonly InventoryContainer[];
  readonly functions: readonly SimulatedFunction[];
  readonly discovered: readonly Discovered[];
}

const made = new Map<string, Inventory>();

/** Returns the inventory of a seed, created at the first call and shared afterwards. */
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
