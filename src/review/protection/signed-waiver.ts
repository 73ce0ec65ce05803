import { printed, type Printed } from "../../core/printed";

/** A waiver of the contract by which plans pass. */
export interface SignedWaiver {
  readonly owner: string;
  readonly reason: string;
  /** The last day, in UTC: `2027-03-01`. */
  readonly expires: string;
}

/** The title of the waivers in each form of a review. */
export const WAIVED = "Waived by the contract";

/** `payments@example.com, until 2027-03-01: runs as root until the migration` */
export function describeWaiver({ owner, reason, expires }: SignedWaiver): Printed {
  return printed`${owner}, until ${expires}: ${reason}`;
}
