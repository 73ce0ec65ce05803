import { z } from "zod";
import { isExactNumber, type JsonNumber } from "./lossless-json";

/** The schema of a number of a JSON text. The command line reads JSON without it, and so without zod. */
export const jsonNumber = z.custom<JsonNumber>(
  (value) => typeof value === "number" || isExactNumber(value),
  "expected a number",
);
