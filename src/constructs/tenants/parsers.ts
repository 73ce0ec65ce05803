import { createRequire } from "node:module";
import type * as csv from "csv-parse/sync";
import type * as yaml from "yaml";

// Synthesis is synchronous, and apps without a file of tenants must not wait for these to load.
const load = createRequire(__filename);

/** Loads the YAML parser. */
export function yamlParser(): typeof yaml {
  return load("yaml") as typeof yaml;
}

/** Loads the CSV parser. */
export function csvParser(): typeof csv {
  return load("csv-parse/sync") as typeof csv;
}
