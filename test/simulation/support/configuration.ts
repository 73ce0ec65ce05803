import type { Release } from "../../../src/api/release";
import type { Dice } from "./dice";
import { entriesOf, KINDS, type Document, type Kind } from "./entries";
import { addressOf } from "./network";
import { addressOfState } from "./state-server";

export type Ownership = "exclusive" | "prefix" | "suffix" | "shared";

/** The configuration of a tenant. */
export interface Configuration {
  readonly collections: Partial<
    Record<Kind, { readonly ownership: Ownership; readonly entries: readonly Document[] }>
  >;
  readonly input: number;
  readonly scans: boolean;
  /** True: the scans of registries and functions are in a second stack, which waits for the first. */
  readonly isSplit: boolean;
  /** True: a server keeps the states, and not the disk. */
  readonly isRemote: boolean;
}

export const RESOURCES: Readonly<Record<Kind, string>> = {
  policies: "cwp_compliance_policy_set.policies",
  registry: "cwp_registry_scan.registry",
  serverlessAutoDeploy: "cwp_serverless_auto_deploy.auto",
};

const MEMBERS: Readonly<Record<Kind, string>> = {
  policies: "policies",
  registry: "specifications",
  serverlessAutoDeploy: "specs",
};

const OWNERSHIPS: Readonly<Record<Kind, readonly Ownership[]>> = {
  policies: ["prefix", "suffix", "exclusive"],
  registry: ["shared", "exclusive"],
  serverlessAutoDeploy: ["exclusive"],
};

export function firstConfiguration(dice: Dice): Configuration {
  const kinds = KINDS.filter((kind) => kind === "policies" || dice.chance(0.4));
  const collections = kinds.map((kind) => {
    const ownership = dice.pick(OWNERSHIPS[kind]);
    return [kind, { ownership, entries: entriesOf(kind, dice) }] as const;
  });
  return {
    collections: Object.fromEntries(collections),
    input: 1,
    scans: dice.chance(0.2),
    isSplit: dice.chance(0.25),
    isRemote: dice.chance(0.25),
  };
}

export function nextConfiguration(dice: Dice, before: Configuration): Configuration {
  const collections = KINDS.flatMap((kind) => {
    const present = before.collections[kind];
    if (!present) return [];
    const ownership = dice.chance(0.1) ? dice.pick(OWNERSHIPS[kind]) : present.ownership;
    const entries = dice.chance(0.6) ? entriesOf(kind, dice) : present.entries;
    return dice.chance(0.05) ? [] : [[kind, { ownership, entries }] as const];
  });
  const input = before.input + dice.below(2);
  return { ...before, collections: Object.fromEntries(collections), input };
}

/** The console of a stack. */
export interface Place {
  readonly release: Release;
  /** The names of all its addresses, the present one at the end. */
  readonly addresses: readonly string[];
}

/** The stacks of a tenant by name, in the JSON syntax of Terraform. */
export function stacksOf(
  name: string,
  place: Place,
  { collections, input, scans, isSplit, isRemote }: Configuration,
): ReadonlyMap<string, Document> {
  const blocks = KINDS.flatMap((kind) => {
    const collection = collections[kind];
    if (!collection) return [];
    const [type = "", label = ""] = RESOURCES[kind].split(".");
    const { ownership, entries } = collection;
    const isSecond = isSplit && kind !== "policies";
    const body = {
      ...(kind !== "serverlessAutoDeploy" && { ownership }),
      [MEMBERS[kind]]: entries,
      ...(!isSecond && { depends_on: ["cwp_license.license"] }),
    };
    return [{ type, block: { [label]: body }, isSecond }];
  });
  const blocksOf = (isOfSecond: boolean): Blocks =>
    Object.fromEntries(
      blocks.flatMap(({ type, block, isSecond }) =>
        isSecond === isOfSecond ? [[type, block]] : [],
      ),
    );
  const scan = {
    poll_interval: 5,
    triggers: { input: String(input) },
    depends_on: ["cwp_license.license"],
  };
  const first = {
    ...settingsOf(name, place, isRemote),
    resource: {
      cwp_bootstrap: { bootstrap: { wait_timeout: 60 } },
      cwp_license: {
        license: { key: "${var.CONSOLE_LICENSE_KEY}", depends_on: ["cwp_bootstrap.bootstrap"] },
      },
      ...blocksOf(false),
      ...(scans && { cwp_container_scan: { scan } }),
      null_resource: { null: { triggers: { input: String(input) } } },
      terraform_data: { data: { input } },
    },
    output: { input: { value: input } },
  };
  if (!isSplit) return new Map([[name, constructed(name, first)]]);
  const second = {
    ...settingsOf(secondOf(name), place, isRemote),
    data: {
      terraform_remote_state: {
        first: isRemote
          ? { backend: "http", config: { address: addressOfState(name) } }
          : { backend: "local", config: { path: stateOf(name) } },
      },
    },
    resource: {
      ...blocksOf(true),
      null_resource: {
        null: { triggers: { input: "${data.terraform_remote_state.first.outputs.input}" } },
      },
    },
  };
  return new Map<string, Document>([
    [name, constructed(name, first)],
    [secondOf(name), constructed(secondOf(name), second)],
  ]);
}

/** Adds the paths of the constructs, as cdktf writes them. */
function constructed(stack: string, document: { readonly resource: Blocks }): Document {
  const blocks = Object.entries(document.resource).map(([type, labelled]) => {
    const named = Object.entries(labelled).map(([label, block]) => {
      const metadata = { path: `${stack}/${label}`, uniqueId: label };
      return [label, { ...block, "//": { metadata } }] as const;
    });
    return [type, Object.fromEntries(named)] as const;
  });
  return { ...document, resource: Object.fromEntries(blocks) };
}

/** Blocks by type and label. */
type Blocks = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** The stack of a tenant that waits for the first. */
export const secondOf = (name: string) => `${name}-scans`;

/** The path of a stack's state. */
export const stateOf = (stack: string) => `/run/terraform.${stack}.tfstate`;

function settingsOf(stack: string, { release, addresses }: Place, isRemote: boolean): Document {
  const present = addresses.at(-1) ?? "";
  const previous = addresses.slice(0, -1).map(addressOf);
  const address = addressOfState(stack);
  return {
    terraform: {
      backend: isRemote
        ? { http: { address, lock_address: address, unlock_address: address } }
        : { local: { path: stateOf(stack) } },
      required_providers: {
        cwp: { source: "cdktf-console/cwp" },
        null: { source: "null" },
      },
    },
    provider: {
      cwp: [
        {
          base_url: addressOf(present),
          ...(previous.length > 0 && { previous_base_urls: previous }),
          release,
          username: "admin",
          password: "${var.CONSOLE_PASSWORD}",
        },
      ],
    },
    variable: {
      CONSOLE_PASSWORD: { type: "string", sensitive: true, ephemeral: true },
      CONSOLE_LICENSE_KEY: { type: "string", sensitive: true, ephemeral: true },
    },
  };
}
