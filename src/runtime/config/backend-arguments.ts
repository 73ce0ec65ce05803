import { z } from "zod";

/*
 * Arguments of backend blocks. Terraform converts numbers and booleans that are written as strings.
 */

export const text = z.string().nullish();
export const number = z.coerce.number().int().nonnegative().nullish();
export const flag = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((value) => value === "true")])
  .nullish();
