import type { Request } from "../support/engine";
import { Draft } from "./draft";
import { Draw } from "./draw";
import { PARTS } from "./parts";
import { nullResource } from "./parts/null-resource";
import type { Part } from "./parts/part";
import { terraformData } from "./parts/terraform-data";
import { DRIFTS, type RandomStep } from "./step";

/** A random scenario: steps, with the features that each of them has. */
export interface Scenario {
  readonly steps: readonly RandomStep[];
  readonly features: readonly (readonly string[])[];
}

/** A part in a stack. Edits change its seed or its name. */
interface Placed {
  readonly part: Part;
  readonly name: string;
  readonly seed: number;
}

/** A block without a label that belongs to an edit. */
type Extra = readonly [
  kind: "moved" | "removed" | "import",
  body: { readonly from?: string; readonly [argument: string]: unknown },
];

interface Plan {
  readonly placed: readonly Placed[];
  readonly extras: readonly Extra[];
}

const IMPORTS: Readonly<Record<string, string>> = {
  cwp_compliance_policy_set: "container",
  cwp_registry_scan: "registry",
  cwp_serverless_auto_deploy: "serverless-auto-deploy",
  cwp_serverless_scan: "serverless-scan",
};

/** Generates scenario `index` of a seed. Every second one applies plans that were written to files. */
export function generate(seed: number, index: number): Scenario {
  const draw = new Draw(seed + Math.imul(index, 0x9e3779b1));
  const { steps, features } = new Generator(draw).scenario();
  const inFile = index % 2 === 1;
  return { steps: steps.map((step) => ({ ...step, ...(inFile && { inFile }) })), features };
}

class Generator {
  #count = 0;
  /** All drafts of the scenario, of which states may still have objects. */
  readonly #drafts: Draft[] = [];

  constructor(private readonly draw: Draw) {}

  scenario(): Scenario {
    const placed = Array.from({ length: 3 + this.draw.below(9) }, () => this.place());
    let plan: Plan = { placed, extras: [] };
    const steps: RandomStep[] = [];
    const features: (readonly string[])[] = [];
    const last = 1 + this.draw.below(4);
    for (let count = 0; count <= last; count++) {
      const edited = new Set<string>();
      if (count > 0) plan = this.edit(plan, edited);
      const draft = draftOf(plan);
      if (count === 0 && this.draw.chance(0.15)) this.import(draft);
      this.#drafts.push(draft);
      const step = count === 0 ? {} : this.surround(draft, edited, count === last);
      steps.push({ stack: draft.stack(), ...step });
      features.push([...draft.features, ...edited]);
    }
    return { steps, features };
  }

  place(): Placed {
    this.#count += 1;
    return {
      part: this.draw.weighted(PARTS),
      name: `r${this.#count}`,
      seed: this.draw.seed(),
    };
  }

  /** Changes, adds and removes parts. */
  edit({ placed, extras }: Plan, edited: Set<string>): Plan {
    let parts = [...placed];
    const kept = extras.filter(
      ([kind, { from }]) =>
        // Otherwise one block may be destroyed while another one is created for the same collection.
        kind === "moved" &&
        from !== "local.none" &&
        (this.draw.chance(0.5) || !isOfLanguage(from ?? "")),
    );
    const added: Extra[] = [];
    const edits = this.draw.below(4);
    if (edits === 0) edited.add("edit nothing");
    for (let count = 0; count < edits; count++) {
      const one = this.draw.of(parts.length > 0 ? parts : [this.place()]);
      const address = addressOf(one, this.#drafts.at(-1));
      switch (this.draw.of(["seed", "seed", "drop", "add", "move", "remove", "refused"] as const)) {
        case "seed":
          edited.add("edit change");
          parts = parts.map((other) =>
            other === one ? { ...one, seed: this.draw.seed() } : other,
          );
          break;
        case "drop":
          edited.add("edit drop");
          parts = parts.filter((other) => other !== one);
          break;
        case "add":
          edited.add("edit add");
          parts.splice(this.draw.below(parts.length + 1), 0, this.place());
          break;
        case "move":
          if (address === undefined) break;
          if (one.part === nullResource && this.draw.chance(0.4)) {
            edited.add("moved to another type");
            added.push(["moved", { from: address, to: `terraform_data.${one.name}` }]);
            const changed = { ...one, part: terraformData };
            parts = parts.map((other) => (other === one ? changed : other));
            break;
          }
          added.push(["moved", { from: address, to: `${address}x` }]);
          parts = parts.map((other) => (other === one ? { ...one, name: `${one.name}x` } : other));
          break;
        case "remove":
          if (address === undefined) break;
          added.push(["removed", { from: address, lifecycle: { destroy: this.draw.chance(0.5) } }]);
          parts = parts.filter((other) => other !== one);
          break;
        case "refused":
          if (address === undefined || this.draw.chance(0.8)) break;
          edited.add("refused");
          added.push(
            this.draw.of<Extra>([
              ["moved", { from: "local.none", to: address }],
              ["removed", { from: "${local.none}" }],
              ["import", { to: `${address}[upper("a")]`, id: "container" }],
            ]),
          );
          break;
      }
    }
    return { placed: parts, extras: [...kept, ...added] };
  }

  /** Imports a collection that the console has. */
  import(draft: Draft): void {
    for (const address of draft.resources) {
      const id = IMPORTS[address.split(".")[0] ?? ""];
      if (id !== undefined) draft.append("import", { to: address, id });
    }
  }

  /** Everything around the stack: drift, commands, workspaces, options of the plan. */
  surround(draft: Draft, edited: Set<string>, isLast: boolean): Omit<RandomStep, "stack"> {
    const { draw } = this;
    const note = <T>(feature: string, value: T): T => {
      edited.add(feature);
      return value;
    };
    const known = [...new Set(this.#drafts.flatMap(({ resources }) => resources))];
    const address = () => this.instance(draw.of(known), draft);
    const request = this.request(known, address, note, isLast);
    const drift = draw.chance(0.25) ? draw.of(DRIFTS) : undefined;
    const workspace = draw.chance(0.06) ? draw.of(["stage", "default"]) : undefined;
    const command =
      known.length > 0 && draw.chance(0.1) ? draw.of(["taint", "state rm"]) : undefined;
    return {
      ...(drift && note(`drift ${drift}`, { drift })),
      ...(workspace !== undefined && note("workspace", { workspace })),
      ...(command !== undefined &&
        note(command, { attempts: [`${command} ${this.plainInstance(known, draft)}`] })),
      ...(Object.keys(request).length > 0 && { request }),
    };
  }

  request(
    known: readonly string[],
    address: () => string,
    note: <T>(feature: string, value: T) => T,
    isLast: boolean,
  ): Request {
    const { draw } = this;
    const choice = draw.weighted([
      [10, "normal"],
      [isLast ? 5 : 1, "destroy"],
      [1, "refresh-only"],
      [2, "no refresh"],
      [2, "targets"],
      [2, "replace"],
    ] as const);
    const isEmpty = known.length === 0;
    switch (choice) {
      case "normal":
        return {};
      case "destroy":
        return note("destroy", {
          mode: "destroy",
          ...(!isEmpty && draw.chance(0.15) && { targets: [address()] }),
        });
      case "refresh-only":
        return note("refresh-only", { mode: "refresh-only" });
      case "no refresh":
        // The provider reads removed collections again, which the executor does not.
        return this.hasCollections() ? {} : note("-refresh=false", { refresh: false });
      case "targets":
        if (isEmpty) return {};
        return note("-target", {
          targets: draw.chance(0.7) ? [address()] : [address(), address()],
        });
      case "replace": {
        const replaceable = known.filter(isOfLanguage);
        if (replaceable.length === 0) return {};
        return note("-replace", { replace: [this.instance(draw.of(replaceable))] });
      }
    }
  }

  hasCollections(): boolean {
    return this.#drafts.some(({ resources }) =>
      resources.some((one) => one in IMPORTS || one.startsWith("cwp_")),
    );
  }

  /** An instance that a command on the state may name: none of the console's. */
  plainInstance(known: readonly string[], draft: Draft): string {
    const plain = known.filter(isOfLanguage);
    return plain.length === 0 ? "null_resource.none" : this.instance(this.draw.of(plain), draft);
  }

  /** An address, with a key where the resource is repeated. */
  instance(address: string, draft?: Draft): string {
    const isOnce = draft?.singles.has(address) ?? true;
    if (!isOfLanguage(address) || isOnce || this.draw.chance(0.3)) return address;
    return `${address}[${this.draw.of(["0", "1", '"a"'])}]`;
  }
}

/** Reports whether an address is one of a resource that is not the console's. */
function isOfLanguage(address: string): boolean {
  return /^(null_resource|terraform_data)\./.test(address);
}

function draftOf({ placed, extras }: Plan): Draft {
  const draft = new Draft();
  for (const { part, name, seed } of placed) part(draft, name, new Draw(seed));
  for (const [kind, body] of extras) draft.append(kind, body);
  return draft;
}

/** The address of the resource of a part, if it has one. */
function addressOf({ name }: Placed, draft: Draft | undefined): string | undefined {
  return draft?.resources.find((one) => one.endsWith(`.${name}`));
}
