import { Graph } from "../../../src/runtime/graph/graph";
import { isApplied, type ApplyNode } from "../../../src/runtime/apply/steps";

/*
 * The order of the operations of an apply. An operation is `put ADDRESS` (create, update, read) or
 * `destroy ADDRESS`, which names the object if it was deposed before the apply.
 */

/** Returns the ID of the object with a deposed key; undefined if the state has none. */
export type NameDeposed = (key: string) => string | undefined;

export function putOf(address: string): string {
  return `put ${address}`;
}

export function destroyOf(address: string, deposed?: string): string {
  return deposed === undefined ? `destroy ${address}` : `destroy ${address} (${deposed})`;
}

/** The members that both engines report in an event of an apply. */
interface Reported {
  readonly type: string;
  readonly address: string;
  readonly action?: string | undefined;
  readonly id?: string | undefined;
}

/** The events of an apply in their order: `start OPERATION`, `complete OPERATION`, `errored …`. */
export class Happenings {
  readonly list: string[] = [];
  readonly #destroys = new Map<string, string[]>();

  /** @param deposed The IDs of the objects that were deposed before, by their keys. */
  constructor(private readonly deposed: ReadonlyMap<string, string>) {}

  /** Ignores events of other kinds. */
  add({ type, address, action, id }: Reported): void {
    const [, subject, event = ""] = /^(apply|provision)_(start|complete|errored)$/.exec(type) ?? [];
    if (subject === undefined) return;
    if (subject === "provision") this.list.push(`${event} provision ${address}`);
    else if (action !== "delete") this.list.push(`${event} ${putOf(address)}`);
    else this.list.push(`${event} ${this.#destroy(event, address, id)}`);
  }

  /** The end of a destroy has no ID: it is that of the first one of its address that started. */
  #destroy(event: string, address: string, id: string | undefined): string {
    const open = this.#destroys.get(address) ?? [];
    this.#destroys.set(address, open);
    if (event !== "start") return open.shift() ?? "";
    const isDeposed = [...this.deposed.values()].some((one) => one === id);
    const operation = destroyOf(address, isDeposed ? id : undefined);
    open.push(operation);
    return operation;
  }
}

/** Lists all pairs `ONE before OTHER` of the graph that `terraform graph -plan` prints. */
export function orderInDot(dot: string, nameDeposed: NameDeposed): readonly string[] {
  const graph = new Graph<string>();
  for (const [, node = "", dependency = ""] of dot.matchAll(EDGE)) {
    graph.connect(unquoted(node), unquoted(dependency));
  }
  return pairsIn(graph, (node) => operationOf(node, nameDeposed));
}

const QUOTED = String.raw`"\[root\] ((?:[^"\\]|\\.)*)"`;
const EDGE = new RegExp(`${QUOTED} -> ${QUOTED}`, "g");

function unquoted(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

/** A node that is named by the address of an instance; `(expand)`, providers and outputs are others. */
function operationOf(node: string, nameDeposed: NameDeposed): string | undefined {
  const { address, action, key = "" } = NODE.exec(node)?.groups ?? {};
  if (address === undefined) return undefined;
  if (action === undefined) return putOf(address);
  return destroyOf(address, action === "destroy" ? undefined : nameDeposed(key));
}

const NODE =
  /^(?<address>(?:null_resource|terraform_data)\.\w+(?:\[[^\]]*\])?)(?: \((?<action>destroy|destroy deposed (?<key>\w+))\))?$/;

/** Lists all pairs `ONE before OTHER` of the steps of the executor. */
export function orderInSteps(steps: Graph<ApplyNode>, nameDeposed: NameDeposed): readonly string[] {
  return pairsIn(steps, (node) => {
    if (node.kind !== "put" && node.kind !== "destroy") return undefined;
    const { address, deposed } = node.change.change;
    if (node.kind === "put") return isApplied(node.change) ? putOf(address) : undefined;
    return destroyOf(address, deposed === undefined ? undefined : nameDeposed(deposed));
  });
}

function pairsIn<N>(graph: Graph<N>, nameOf: (node: N) => string | undefined): readonly string[] {
  const pairs = [...graph.nodes()].flatMap((node) => {
    const later = nameOf(node);
    if (later === undefined) return [];
    return [...graph.closure([node])].flatMap((dependency) => {
      const earlier = dependency === node ? undefined : nameOf(dependency);
      return earlier === undefined ? [] : [`${earlier} before ${later}`];
    });
  });
  return [...new Set(pairs)].sort();
}

/** The events that both engines report: Terraform leaves out the ends of some destroys. */
export function comparableEvents(events: readonly string[]): readonly string[] {
  return events.filter((event) => !/^(complete|errored) destroy /.test(event)).sort();
}

/** Lists the pairs of an order whose second operation started before the first one was done. */
export function violations(order: readonly string[], events: readonly string[]): readonly string[] {
  return order.filter((pair) => {
    const [earlier = "", later = ""] = pair.split(" before ");
    const start = events.indexOf(`start ${later}`);
    if (start < 0 || !events.includes(`start ${earlier}`)) return false;
    const done = events.indexOf(`complete ${earlier}`);
    const isKnown = done >= 0 || !earlier.startsWith("destroy");
    return isKnown && (done < 0 || done > start);
  });
}
