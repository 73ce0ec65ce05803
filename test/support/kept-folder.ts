import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The folder for what later runs use again, such as programs that tests install. Other temporary
 * files end with their run: see temporary-root.cjs.
 */
export const KEPT_FOLDER = process.env.KEPT_FOLDER ?? tmpdir();

/** The compiled code of our programs, for tests whose home directories are new. */
export const COMPILE_CACHE = join(KEPT_FOLDER, `cdktf-console-code-${process.getuid?.() ?? ""}`);
