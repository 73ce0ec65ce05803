import { Lazy, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import type { ConsoleProvider } from "./console-provider";
import { ConstructList } from "./construct-list";

/**
 * Stages of a console's setup: the first user signs up, licenses are installed, the gate opens, and
 * then the rest of the API works. Each element depends on earlier stages of the same provider.
 */
export type Stage = "bootstrap" | "license" | "gate" | "functional";

const DEPENDS_ON: Readonly<Record<Stage, readonly Stage[]>> = {
  bootstrap: [],
  license: ["bootstrap"],
  gate: ["bootstrap", "license"],
  functional: ["gate"],
};

/** An element that is ordered by the stages of the setup. */
export interface StagedElement extends IConstruct {
  readonly terraformResourceType: string;
  readonly friendlyUniqueId: string;
  readonly stage: Stage;
  readonly consoleProvider: ConsoleProvider | undefined;
}

const STAGED = new ConstructList<StagedElement>("StagedElements");

/** Registers the element for the other elements of its provider. */
export function addToSetup(element: StagedElement): void {
  STAGED.add(element);
}

/** The elements at `stage` that set up the console of `element`, in the same stack. */
export function elementsAt(stage: Stage, element: StagedElement): StagedElement[] {
  const provider = element.consoleProvider;
  if (!provider) return [];
  return STAGED.in(
    TerraformStack.of(element),
    (other) => other.stage === stage && other.consoleProvider === provider,
  );
}

/**
 * Returns the `dependsOn` of an element: the user's, then the elements of earlier stages. The tree is
 * read at this call, so constructs can be created in any order.
 */
export function dependencies(element: StagedElement, given: readonly string[] = []): unknown {
  // All are resources of this stack: a token for each would capture a stack trace.
  const before = predecessors(element).map(
    ({ terraformResourceType, friendlyUniqueId }) => `${terraformResourceType}.${friendlyUniqueId}`,
  );
  if (before.length === 0) return given.length === 0 ? undefined : given;
  if (given.length === 0) return before;
  return Lazy.anyValue({
    produce: (context) => [...new Set(context.resolve([...given, ...before]) as string[])],
  });
}

/** Without a bootstrap there is no gate, and elements depend on the licenses. */
function predecessors(element: StagedElement): StagedElement[] {
  const before = DEPENDS_ON[element.stage].flatMap((stage) => elementsAt(stage, element));
  return element.stage === "functional" && before.length === 0
    ? elementsAt("license", element)
    : before;
}

/** Returns the constructs that are synthesized with a stack: all below it except nested stacks. */
export function constructsOf(stack: IConstruct): IConstruct[] {
  return [
    stack,
    ...stack.node.children
      .filter((child) => !TerraformStack.isStack(child))
      .flatMap((child) => constructsOf(child)),
  ];
}
