import { z } from "zod";
import { endpointAt, placeAt } from "../catalogue/described-place";

/** The installed license. The specification has no read of it; consoles in the field answer this one. */
export const LICENSE = endpointAt(placeAt("settings/license", undefined), "GET");

/** The known members of its answer, but for `access_token`, which is a secret. */
export const licenseSchema = z.object({
  type: z.unknown().optional(),
  expiration_date: z.unknown().optional(),
  workloads: z.unknown().optional(),
});

/** The answer of a console without one, and of a simulated path that nobody has written. */
export const noLicenseSchema = z.union([z.null(), z.tuple([])]);

export type FoundLicense = z.infer<typeof licenseSchema>;
