import { TerraformResource, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";

/**
 * The constructs of one kind in a stack, in the order in which they were made. Elements ask for
 * each other all the time: if each of them walked the tree, a stack of many consoles would take a
 * time that grows with its square. The list is on the stack under a symbol that all copies of this
 * package share.
 */
export class Roll<T extends IConstruct> {
  private readonly symbol: symbol;

  constructor(name: string) {
    this.symbol = Symbol.for(`cdktf-console/${name}`);
  }

  enrol(construct: T): void {
    const stack = TerraformStack.of(construct);
    const list = this.listOn(stack);
    if (list) list.push(construct);
    else Object.defineProperty(stack, this.symbol, { value: [construct] });
  }

  /**
   * Those below the stack, but for stacks inside it; all that will be synthesized, as far as is
   * known by now.
   */
  in(stack: TerraformStack, wanted: (construct: T) => boolean = () => true): T[] {
    return (this.listOn(stack) ?? []).filter(
      (one) => wanted(one) && isThere(one) && !isMovedAway(one),
    );
  }

  private listOn(stack: TerraformStack): T[] | undefined {
    // Nothing but `enrol` writes there.
    return Object.getOwnPropertyDescriptor(stack, this.symbol)?.value as T[] | undefined;
  }
}

/** A construct can be taken away with `tryRemoveChild`, and so can what it stands in. */
function isThere(construct: IConstruct): boolean {
  const { scope, id } = construct.node;
  return !scope || (scope.node.tryFindChild(id) === construct && isThere(scope));
}

/** What `moveTo` or `moveToId` takes to another place leaves nothing but a `moved` block. */
function isMovedAway(construct: IConstruct): boolean {
  if (!TerraformResource.isTerraformResource(construct)) return false;
  const move = construct.hasResourceMove();
  if (!move) return false;
  const { terraformResourceType, friendlyUniqueId } = construct;
  return "moveTarget" in move || move.from === `${terraformResourceType}.${friendlyUniqueId}`;
}
