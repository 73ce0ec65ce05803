import { TerraformResource, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";

/**
 * The constructs of one kind in a stack, in the order of creation. A search of the tree for each
 * element would take quadratic time in a stack of many consoles. The list is stored on the stack under
 * a symbol that all copies of this package share.
 */
export class ConstructList<T extends IConstruct> {
  private readonly symbol: symbol;

  constructor(name: string) {
    this.symbol = Symbol.for(`cdktf-console/${name}`);
  }

  add(construct: T): void {
    const stack = TerraformStack.of(construct);
    const list = this.listOn(stack);
    if (list) list.push(construct);
    else Object.defineProperty(stack, this.symbol, { value: [construct] });
  }

  /**
   * Returns the constructs of the stack that will be synthesized, without those of nested stacks.
   */
  in(stack: TerraformStack, wanted: (construct: T) => boolean = () => true): T[] {
    return (this.listOn(stack) ?? []).filter(
      (one) => wanted(one) && isInTree(one) && !isMovedAway(one),
    );
  }

  private listOn(stack: TerraformStack): T[] | undefined {
    // Only `add` writes this property.
    return Object.getOwnPropertyDescriptor(stack, this.symbol)?.value as T[] | undefined;
  }
}

/** Reports whether the construct is still in the tree: `tryRemoveChild` removes constructs. */
function isInTree(construct: IConstruct): boolean {
  const { scope, id } = construct.node;
  return !scope || (scope.node.tryFindChild(id) === construct && isInTree(scope));
}

/** Reports whether `moveTo` or `moveToId` replaced the construct by a `moved` block. */
function isMovedAway(construct: IConstruct): boolean {
  if (!TerraformResource.isTerraformResource(construct)) return false;
  const move = construct.hasResourceMove();
  if (!move) return false;
  const { terraformResourceType, friendlyUniqueId } = construct;
  return "moveTarget" in move || move.from === `${terraformResourceType}.${friendlyUniqueId}`;
}
