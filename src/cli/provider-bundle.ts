import { join } from "node:path";

/** The provider as one file, beside this program's own; from the sources, what was built last. */
export const PROVIDER_BUNDLE = join(__dirname, "../../dist/provider.js");
