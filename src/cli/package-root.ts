import { join } from "node:path";

/** The folder of this package. This file is two folders below it, built or not. */
export const PACKAGE_ROOT = join(__dirname, "../..");
