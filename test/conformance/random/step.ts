import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StackJson } from "../../cli/stack-files";
import type { Turn } from "../support/conform";
import type { Request } from "../support/engine";
import { specification } from "../support/stacks";
import type { World } from "../support/world";
import { clock } from "./steady-providers";
import { REMOTE_OUTPUTS } from "./parts/remote-state";

/** Manual changes of the console. */
export const DRIFTS = ["reversed", "emptied", "foreign", "registry", "functions"] as const;

/** A step of a random scenario, in JSON. */
export interface RandomStep {
  /** Default: the stack of the previous step. */
  readonly stack?: StackJson;
  readonly drift?: (typeof DRIFTS)[number];
  /** A workspace to select. */
  readonly workspace?: string;
  /** Terraform commands on the state, which may fail. */
  readonly attempts?: readonly string[];
  readonly request?: Request;
  /** Applies a plan that was written to a file, with both engines. */
  readonly inFile?: boolean;
  /** The operations of null resources that fail, by the trigger `name`: `create a`. */
  readonly failing?: readonly string[];
  /** Compares the order of operations. */
  readonly ordered?: boolean;
}

/** A scenario in a file of the folder `fixtures`. */
export interface Fixture {
  /** The difference that it showed. */
  readonly difference: string;
  readonly steps: readonly RandomStep[];
}

export function turnOf({ drift, workspace, failing = [], ...turn }: RandomStep): Turn {
  return {
    ...turn,
    before: async (world) => {
      clock.failing = new Set(failing);
      writeStates(world);
      if (workspace !== undefined) world.select(workspace);
      if (drift) await world.console.edit(driftOf(drift, world));
    },
  };
}

/** Writes the states of another stack. */
function writeStates({ folder }: World): void {
  const paths = { default: "up/terraform.tfstate", stage: "up/spaces/stage/terraform.tfstate" };
  for (const [workspace, outputs] of Object.entries(REMOTE_OUTPUTS)) {
    const file = join(folder, paths[workspace as keyof typeof paths]);
    mkdirSync(dirname(file), { recursive: true });
    const state = { version: 4, terraform_version: "1.11.4", serial: 1, lineage: "up", outputs };
    writeFileSync(file, JSON.stringify({ ...state, resources: [] }));
  }
}

function driftOf(drift: (typeof DRIFTS)[number], { console }: World): object {
  switch (drift) {
    case "reversed":
      return { policies: [...console.policies()].reverse() };
    case "emptied":
      return { policies: [] };
    case "foreign":
      return { policies: [{ name: "Theirs" }] };
    case "registry":
      return { registry: [specification("theirs/*")] };
    case "functions":
      return { serverlessAutoDeploy: [], serverlessScan: [] };
  }
}
