import { Lazy, TerraformStack, dependable, type ITerraformDependable } from "cdktf";
import type { IConstruct } from "constructs";
import type { ConsoleProvider } from "./console-provider";
import { Roll } from "./roll";

/**
 * A console is set up in stages: its first user signs up, licenses are installed, the gate opens,
 * and only then the rest of its API answers. Each element waits for those of its own provider.
 */
export type Stage = "bootstrap" | "license" | "gate" | "functional";

const WAITS_FOR: Readonly<Record<Stage, readonly Stage[]>> = {
  bootstrap: [],
  license: ["bootstrap"],
  gate: ["bootstrap", "license"],
  functional: ["gate"],
};

/** An element that takes its turn. */
export interface StagedElement extends IConstruct, ITerraformDependable {
  readonly stage: Stage;
  readonly consoleProvider: ConsoleProvider | undefined;
}

const STAGED = new Roll<StagedElement>("StagedElements");

/** Lets the others of its provider find the element. */
export function takesItsTurn(element: StagedElement): void {
  STAGED.enrol(element);
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
 * The `dependsOn` of an element: what the user gave, then what has to be there before its stage.
 * The tree is read when this is called, so the order in which constructs are created says nothing.
 */
export function dependencies(element: StagedElement, given: readonly string[] = []): unknown {
  const before = predecessors(element).map((predecessor) => dependable(predecessor));
  if (before.length === 0) return given.length === 0 ? undefined : given;
  return Lazy.anyValue({
    produce: (context) => [...new Set(context.resolve([...given, ...before]) as string[])],
  });
}

/** Without a bootstrap there is no gate; a console that is signed up still needs its license. */
function predecessors(element: StagedElement): StagedElement[] {
  const before = WAITS_FOR[element.stage].flatMap((stage) => elementsAt(stage, element));
  return element.stage === "functional" && before.length === 0
    ? elementsAt("license", element)
    : before;
}

/** The constructs that are synthesized with a stack: all below it, but for stacks inside it. */
export function constructsOf(stack: IConstruct): IConstruct[] {
  return [
    stack,
    ...stack.node.children
      .filter((child) => !TerraformStack.isStack(child))
      .flatMap((child) => constructsOf(child)),
  ];
}
