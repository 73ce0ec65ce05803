import type { Simulator } from "../../src/simulator";

export const ADMIN = { username: "admin", password: "correct-horse-battery" };

/** Returns the variables with which a stack finds the first console. */
export function consoleEnvironment({ consoles, caFile }: Simulator) {
  return {
    CONSOLE_URL: consoles[0].url,
    CONSOLE_CA_FILE: caFile,
    CONSOLE_USERNAME: ADMIN.username,
    CONSOLE_PASSWORD: ADMIN.password,
    CONSOLE_LICENSE_KEY: "license-key-of-the-test",
  };
}
