import { TerraformStack, TerraformVariable, VariableType } from "cdktf";
import type { Construct } from "constructs";
import { literal } from "./literal";

const SECRET: unique symbol = Symbol.for("cdktf-console/Secret");

type Source =
  | { readonly kind: "environment"; readonly name: string }
  | { readonly kind: "plain_text"; readonly text: string };

/**
 * A value that must not be stored: a password, a token, a key. Write-only props and the provider's
 * props accept it; in other props it is a validation error.
 */
export class Secret {
  declare readonly [SECRET]: Source;

  private constructor(source: Source) {
    // Not enumerable: a printed or serialised Secret shows nothing.
    Object.defineProperty(this, SECRET, { value: source });
    // cdktf would render an object without this as `{}`.
    Object.defineProperty(this, "resolve", {
      value: () => {
        throw misplaced();
      },
    });
  }

  /**
   * Reads a secret from the environment of plan and apply. Adds one sensitive, ephemeral variable of
   * this name to the stack: the value is in no file, no plan and no state. Terraform reads
   * `TF_VAR_<name>`; `cdktf-console` reads `<name>` too.
   *
   * @param name letters, digits and underscores, such as `CONSOLE_PASSWORD`
   */
  static fromEnv(name: string): Secret {
    return new Secret({ kind: "environment", name });
  }

  /**
   * Writes a secret to `cdk.tf.json` as plain text, for test consoles. Everyone who can read the file
   * can read it.
   */
  static unsafePlainText(text: string): Secret {
    return new Secret({ kind: "plain_text", text });
  }

  static isSecret(value: unknown): value is Secret {
    return typeof value === "object" && value !== null && SECRET in value;
  }

  /** @throws always, because a template string with a Secret would be a wrong value. */
  toString(): never {
    throw misplaced();
  }
}

/** Returns the name of the secret's variable; undefined for plain text. */
export function variableOf(secret: Secret): string | undefined {
  const source = secret[SECRET];
  return source.kind === "environment" ? source.name : undefined;
}

/** Returns the expression for a secret; adds its variable to the stack of `scope` once. */
export function synthesizeSecret(secret: Secret, scope: Construct): string {
  const source = secret[SECRET];
  if (source.kind === "plain_text") return literal(source.text);
  const stack = TerraformStack.of(scope);
  const id = `secret-${source.name}`;
  const found = stack.node.tryFindChild(id);
  const variable = isSecretVariable(found) ? found : new SecretVariable(stack, id, source.name);
  return variable.stringValue;
}

function misplaced(): TypeError {
  return new TypeError(
    "A Secret cannot be part of a string or of a token. Pass the Secret itself, or put the whole string into the environment.",
  );
}

const SECRET_VARIABLE = Symbol.for("cdktf-console/SecretVariable");

class SecretVariable extends TerraformVariable {
  constructor(stack: TerraformStack, id: string, name: string) {
    super(stack, id, {
      type: VariableType.STRING,
      sensitive: true,
      description: `A secret, which is stored nowhere. Set TF_VAR_${name}; cdktf-console reads ${name} too.`,
    });
    Object.defineProperty(this, SECRET_VARIABLE, { value: true });
    this.overrideLogicalId(name);
    this.addOverride("ephemeral", true);
  }
}

/** Reports whether a construct is the variable of a `Secret`. */
export function isSecretVariable(value: unknown): value is SecretVariable {
  return typeof value === "object" && value !== null && SECRET_VARIABLE in value;
}
