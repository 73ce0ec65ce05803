import { setMember } from "../core/member-of";
import { TerraformStack, Token } from "cdktf";
import type { IConstruct } from "constructs";

const SYMBOL = Symbol.for("cdktf-console/Labels");

/**
 * The labels of a stack. They are in its cdk.tf.json under `//.labels`, and the option `--label`
 * selects stacks by them.
 */
export class Labels {
  private readonly labels: Record<string, string> = {};

  private constructor(private readonly stack: TerraformStack) {}

  /** Returns the labels of the stack that contains the construct. */
  static of(scope: IConstruct): Labels {
    const stack = TerraformStack.of(scope);
    const known: unknown = Object.getOwnPropertyDescriptor(stack, SYMBOL)?.value;
    if (known instanceof Labels) return known;
    const labels = new Labels(stack);
    Object.defineProperty(stack, SYMBOL, { value: labels });
    return labels;
  }

  /** Adds labels. A label of the same key is replaced. */
  add(labels: Readonly<Record<string, string>>): this {
    for (const [key, value] of Object.entries(labels)) {
      check(this.stack, key, value);
      setMember(this.labels, key, value);
    }
    this.stack.addOverride("//.labels", { ...this.labels });
    return this;
  }
}

function check({ node }: TerraformStack, key: string, value: unknown): void {
  const refuse = (reason: string) => {
    throw new Error(`Label ${JSON.stringify(key)} of stack ${JSON.stringify(node.id)}: ${reason}.`);
  };
  if (!/^[^\s=][^=]*$/.test(key))
    refuse('a key must not be empty, begin with a blank or contain "="');
  if (typeof value !== "string") refuse("the value must be a string");
  if (Token.isUnresolved(key) || Token.isUnresolved(value)) {
    refuse("keys and values must be known when the app is synthesized");
  }
}
