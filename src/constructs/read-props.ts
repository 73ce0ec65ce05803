import { Lazy, Tokenization, type TerraformIterator } from "cdktf";
import { Construct } from "constructs";
import { propName } from "./naming";
import { Secret, variableOf } from "./secret";
import { isToken } from "./tokens";
import { error, type Diagnostic } from "../provider/diagnostics";
import type { Attribute, Attributes, Kind } from "../provider/schema/attribute";
import { isConfigurable, nestedAttributes } from "../provider/schema/terraform";
import { UNKNOWN, type AttributePath, type ObjectValue, type Value } from "../provider/values";

/** Props, read once, in both forms that synthesis needs. */
export interface ReadProps {
  /** What cdk.tf.json holds: attributes by their Terraform names, tokens where the user put them. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** What the provider's checks read: every token unknown, whatever is not set null. */
  readonly config: ObjectValue;
  /** What does not fit; their paths are props. */
  readonly findings: readonly Diagnostic[];
}

export interface SecretRules {
  /** May hold a `Secret`. */
  readonly accepts: (attribute: Attribute) => boolean;
  /** Holds nothing but secrets, so that a literal is a mistake. */
  readonly demands: (attribute: Attribute) => boolean;
  /** What stands for the secret in the stack. */
  readonly synthesize: (secret: Secret) => string;
}

/**
 * Translates props of any shape; users may write JavaScript. What does not fit is a finding, is left
 * out of the attributes and taken as unknown by the checks.
 */
export function readProps(attributes: Attributes, props: object, rules: SecretRules): ReadProps {
  const reader = new PropsReader(rules);
  const { synthesized, value } = reader.object(attributes, props, []);
  return { attributes: synthesized, config: value, findings: reader.findings };
}

/** The attributes as cdktf's HCL output wants them. */
export function hclAttributes({ attributes }: ReadProps): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      { value, isBlock: false, type: "any" },
    ]),
  );
}

interface Read<S = unknown, V = Value> {
  readonly synthesized: S;
  readonly value: V;
}

type ReadObject = Read<Record<string, unknown>, ObjectValue>;

const NOT_SET: Read = { synthesized: undefined, value: null };

class PropsReader {
  readonly findings: Diagnostic[] = [];

  constructor(private readonly rules: SecretRules) {}

  object(attributes: Attributes, props: object, path: AttributePath): ReadObject {
    const set = Object.entries(props).filter(([, value]) => value !== undefined);
    const given = new Map<string, unknown>(set);
    const synthesized: Record<string, unknown> = {};
    const value: Record<string, Value> = {};
    for (const [name, attribute] of Object.entries(attributes)) {
      value[name] = null;
      if (!isConfigurable(attribute)) continue;
      const prop = propName(name);
      const read = this.value(attribute, attribute.type, given.get(prop), [...path, prop]);
      given.delete(prop);
      value[name] = read.value;
      if (read.synthesized !== undefined) synthesized[name] = read.synthesized;
    }
    for (const unknown of given.keys()) this.unknownProp(attributes, [...path, unknown]);
    return { synthesized, value };
  }

  private value(attribute: Attribute, kind: Kind, given: unknown, path: AttributePath): Read {
    if (given === undefined || given === null) return NOT_SET;
    if (Secret.isSecret(given)) return this.secret(attribute, given, path);
    if (isToken(given)) return { synthesized: this.token(kind, given, path), value: UNKNOWN };
    switch (kind.kind) {
      case "string":
        if (typeof given !== "string") break;
        return this.rules.demands(attribute) ? this.literalSecret(path) : same(given);
      case "number":
        if (typeof given !== "number" || !Number.isFinite(given)) break;
        return same(given);
      case "bool":
        if (typeof given !== "boolean") break;
        return same(given);
      case "list":
      case "set":
        if (!Array.isArray(given)) break;
        return this.list(attribute, kind.element, given, path);
      case "map":
        if (!isPlainObject(given)) break;
        return this.map(attribute, kind.element, given, path);
      case "object":
        if (!isPlainObject(given)) break;
        return this.object(kind.attributes, given, path);
    }
    return this.wrongType(kind, given, path);
  }

  private list(
    attribute: Attribute,
    element: Kind,
    given: readonly unknown[],
    path: AttributePath,
  ): Read {
    const read = given.map((item, index) => this.value(attribute, element, item, [...path, index]));
    return {
      synthesized: read.map(({ synthesized }) => synthesized ?? null),
      value: read.map(({ value }) => value),
    };
  }

  private map(attribute: Attribute, element: Kind, given: object, path: AttributePath): Read {
    const read = Object.entries(given).map(
      ([key, item]) => [key, this.value(attribute, element, item, [...path, key])] as const,
    );
    return {
      synthesized: Object.fromEntries(
        read.map(([key, { synthesized }]) => [key, synthesized ?? null]),
      ),
      value: read.some(([key]) => isToken(key))
        ? UNKNOWN
        : Object.fromEntries(read.map(([key, { value }]) => [key, value])),
    };
  }

  private secret(attribute: Attribute, secret: Secret, path: AttributePath): Read {
    if (!this.rules.accepts(attribute)) {
      return this.refuse(
        "Secret in a prop that Terraform keeps",
        "The value would stand in plans and in the state. Secrets go into write-only props and into those of the provider.",
        path,
      );
    }
    const variable = variableOf(secret);
    if (variable !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)) {
      return this.refuse(
        "Invalid name of an environment variable",
        `Secret.fromEnv(${JSON.stringify(variable)}): use letters, digits and underscores, beginning with no digit.`,
        path,
      );
    }
    return { synthesized: this.rules.synthesize(secret), value: UNKNOWN };
  }

  private literalSecret(path: AttributePath): Read {
    return this.refuse(
      "Secret as plain text",
      'It would be readable in cdk.tf.json. Use Secret.fromEnv("NAME"), or Secret.unsafePlainText("…") for a throw-away console.',
      path,
    );
  }

  /** Tokens stand as they are, but for the props inside them, which cdktf would not rename. */
  private token(kind: Kind, token: unknown, path: AttributePath): unknown {
    const attributes = nestedAttributes(kind);
    if (!attributes || !Tokenization.isResolvable(token)) return token;
    if (isDynamic(token)) {
      const { synthesized } = this.object(attributes, token.content, [...path, 0]);
      return token.iterator.dynamic(synthesized);
    }
    return Lazy.anyValue({ produce: (context) => renamed(kind, context.resolve(token)) });
  }

  private wrongType(kind: Kind, given: unknown, path: AttributePath): Read {
    const hint = Construct.isConstruct(given)
      ? " A construct is no value: pass one of its attributes, such as its id."
      : "";
    return this.refuse(
      "Wrong type",
      `This must be ${TYPE_NAMES[kind.kind]}, or a token that gives one.${hint}`,
      path,
    );
  }

  private unknownProp(attributes: Attributes, path: AttributePath): void {
    const props = Object.entries(attributes)
      .filter(([, attribute]) => isConfigurable(attribute))
      .map(([name]) => propName(name));
    const meant = props.find((prop) => spelling(prop) === spelling(String(path.at(-1))));
    this.refuse(
      "Unknown prop",
      meant === undefined ? `There are: ${props.join(", ")}.` : `Did you mean ${meant}?`,
      path,
    );
  }

  private refuse(summary: string, detail: string, path: AttributePath): Read {
    this.findings.push(error(summary, detail, path));
    return { synthesized: undefined, value: UNKNOWN };
  }
}

const TYPE_NAMES = {
  string: "a string",
  number: "a finite number",
  bool: "a boolean",
  list: "a list",
  set: "a list",
  map: "a map",
  object: "an object",
} as const satisfies Record<Kind["kind"], string>;

/** What `TerraformIterator.dynamic` gives: one object for each element; cdktf exports no type. */
interface DynamicExpression {
  readonly iterator: TerraformIterator;
  readonly content: object;
}

const DYNAMIC_EXPRESSION = Symbol.for("cdktf/TerraformDynamicExpression");

function isDynamic(token: object): token is DynamicExpression {
  return DYNAMIC_EXPRESSION in token;
}

function same(value: string | number | boolean): Read {
  return { synthesized: value, value };
}

function isPlainObject(value: unknown): value is object {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !Construct.isConstruct(value)
  );
}

/** Data that a token gave at synth, with the props in it as attributes; expressions stay. */
function renamed(kind: Kind, data: unknown): unknown {
  if (Array.isArray(data)) {
    return "element" in kind ? data.map((item: unknown) => renamed(kind.element, item)) : data;
  }
  if (kind.kind !== "object" || !isPlainObject(data)) return data;
  const members = new Map<string, unknown>(Object.entries(data));
  for (const [name, { type }] of Object.entries(kind.attributes)) {
    const key = [propName(name), name].find((spelled) => members.has(spelled));
    if (key === undefined) continue;
    const member = renamed(type, members.get(key));
    members.delete(key);
    members.set(name, member);
  }
  return Object.fromEntries(members);
}

// The commonest slips: Terraform's spelling, and another capitalisation.
function spelling(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
