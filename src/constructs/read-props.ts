import { mapMembers, memberOf } from "../core/member-of";
import { Tokenization } from "cdktf";
import { Construct } from "constructs";
import { propName, propPath } from "./naming";
import { Secret, synthesizeSecret, variableOf } from "./secret";
import { isPlainObject } from "./split-props";
import { isDynamic, withAttributeNames } from "./token-props";
import { isToken } from "./tokens";
import { error, type Diagnostic } from "../core/diagnostics";
import type { Attribute, Attributes } from "../core/schema/attribute";
import { foldObject, foldValue, type Fold, type Place } from "../core/schema/fold";
import { isConfigurable, nestedAttributes } from "../core/schema/terraform";
import { ANY, type Type } from "../core/types";
import {
  isObjectValue,
  UNKNOWN,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../core/values";

/** Props in the two forms that synthesis needs. */
export interface ReadProps {
  /** The attributes for cdk.tf.json, by their Terraform names and with tokens. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The configuration for the provider's checks: tokens are unknown, unset attributes are null. */
  readonly config: ObjectValue;
  /** Errors of the props, with paths of props. */
  readonly findings: readonly Diagnostic[];
}

export interface SecretRules {
  /** Reports whether an attribute accepts a `Secret`. */
  readonly accepts: (attribute: Attribute) => boolean;
  /** Reports whether an attribute refuses a literal, because it only has secrets. */
  readonly demands: (attribute: Attribute) => boolean;
}

/** Resources and data sources accept secrets in their write-only props, and nothing else there. */
export const SECRETS_OF_BLOCKS: SecretRules = {
  accepts: ({ writeOnly }) => writeOnly === true,
  demands: ({ writeOnly }) => writeOnly === true,
};

/**
 * Converts props of any shape, because users may write JavaScript. A prop that does not fit is
 * reported, left out of the attributes, and unknown in the checks.
 */
export function readProps(
  attributes: Attributes,
  props: unknown,
  rules: SecretRules,
  element: Construct,
): ReadProps {
  const reader = new PropsReader(attributes, rules, element);
  return { ...reader.read(props), findings: reader.findings };
}

/** Returns the attributes in the form of cdktf's HCL output. */
export function hclAttributes({ attributes }: ReadProps): Record<string, unknown> {
  return mapMembers(attributes, (value) => ({ value, isBlock: false, type: "any" }));
}

interface Read {
  readonly synthesized: unknown;
  readonly value: Value;
}

const NOT_SET: Read = { synthesized: undefined, value: null };

const NO_OBJECT = error("Wrong type", "The props must be an object.");

class PropsReader {
  readonly findings: Diagnostic[] = [];
  private given: unknown;

  constructor(
    private readonly attributes: Attributes,
    private readonly rules: SecretRules,
    private readonly element: Construct,
  ) {}

  read(props: unknown): Pick<ReadProps, "attributes" | "config"> {
    this.given = props;
    if (!isPlainObject(props)) {
      this.findings.push(NO_OBJECT);
      const unknown = configurable(this.attributes).map((name) => [name, UNKNOWN] as const);
      return { attributes: {}, config: Object.fromEntries(unknown) };
    }
    const { synthesized, value } = foldObject(this.attributes, { ...props }, this.fold);
    return {
      attributes: isPlainObject(synthesized) ? { ...synthesized } : {},
      config: isObjectValue(value) ? value : {},
    };
  }

  private readonly fold: Fold<unknown, Read, Attribute> = {
    absent: undefined,
    settle: (given, type, place) => {
      if (given === undefined || given === null) return NOT_SET;
      const attribute = place.attribute;
      if (!attribute) return undefined;
      if (Secret.isSecret(given)) return this.secret(attribute, given, place);
      if (!isToken(given)) return undefined;
      return { synthesized: this.token(type, given, place), value: UNKNOWN };
    },
    primitive: (given, { kind }, place) => {
      if (kind === "any") return this.anything(given, place);
      if (kind === "number") return Number.isFinite(given) ? same(Number(given)) : undefined;
      if (kind === "bool") return typeof given === "boolean" ? same(given) : undefined;
      if (typeof given !== "string") return undefined;
      const attribute = place.attribute;
      return attribute && this.rules.demands(attribute) ? this.literalSecret(place) : same(given);
    },
    elements: (given) => (Array.isArray(given) ? given : undefined),
    members: (given, type, place) => {
      if (!isPlainObject(given)) return undefined;
      const members = Object.entries(given);
      return Object.fromEntries(
        type.kind === "object" ? this.attributesOf(members, type.attributes, place) : members,
      );
    },
    list: (read) => ({
      synthesized: read.map(({ synthesized }) => synthesized ?? null),
      value: read.map(({ value }) => value),
    }),
    record: (members, { kind }) => {
      const read = Object.entries(members);
      const set = read.filter(([, { synthesized }]) => kind === "map" || synthesized !== undefined);
      const isKnown = kind === "object" || !read.some(([key]) => isToken(key));
      return {
        synthesized: Object.fromEntries(set.map(([key, one]) => [key, one.synthesized ?? null])),
        value: isKnown ? Object.fromEntries(read.map(([key, { value }]) => [key, value])) : UNKNOWN,
      };
    },
    mismatch: (given, { kind }, place) => this.wrongType(kind, given, place),
  };

  /** A value of any type, by the types of its JSON. */
  private anything(given: unknown, place: Place<Attribute>): Read | undefined {
    if (Array.isArray(given)) {
      const elements: readonly unknown[] = given;
      return this.fold.list(
        elements.map((one, index) => this.inside(one, place.element(index))),
        { kind: "list", element: ANY },
        given,
        place,
      );
    }
    if (isPlainObject(given)) {
      const members = mapMembers<unknown, Read>({ ...given }, (one, name) =>
        this.inside(one, place.element(name)),
      );
      return this.fold.record(members, { kind: "map", element: ANY }, given, place);
    }
    if (typeof given === "number") return Number.isFinite(given) ? same(given) : undefined;
    if (typeof given === "boolean") return same(given);
    if (typeof given !== "string") return undefined;
    const { attribute } = place;
    const isSecret = attribute && this.rules.demands(attribute) && !this.isPlain(attribute, place);
    return isSecret ? this.literalSecret(place) : same(given);
  }

  private inside(given: unknown, place: Place<Attribute>): Read {
    return foldValue<unknown, Read, Attribute>(ANY, given, this.fold, place);
  }

  /** Members of write-only values that identify what the secrets belong to. */
  private isPlain({ plainMembers }: Attribute, { path }: Place<Attribute>): boolean {
    const props = isPlainObject(this.given) ? valueOfProps(this.given) : {};
    return plainMembers?.(props).includes(String(path.at(-1))) ?? false;
  }

  /** Maps props to attributes; reports unknown props. */
  private attributesOf(
    members: readonly (readonly [string, unknown])[],
    attributes: Attributes,
    { path }: Place<Attribute>,
  ): readonly (readonly [string, unknown])[] {
    const names = new Map(configurable(attributes).map((name) => [propName(name), name]));
    return members.flatMap(([prop, given]) => {
      const name = names.get(prop);
      if (name !== undefined) return [[name, given] as const];
      if (given !== undefined) this.unknownProp([...names.keys()], prop, path);
      return [];
    });
  }

  private secret(attribute: Attribute, secret: Secret, place: Place<Attribute>): Read {
    if (!this.rules.accepts(attribute)) {
      return this.refuse(
        "Secret in a prop that is stored in the state",
        "The value would be readable in plans and in the state. Only write-only props and the props of the provider accept a Secret.",
        place,
      );
    }
    const variable = variableOf(secret);
    if (variable !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)) {
      return this.refuse(
        "Invalid name of an environment variable",
        `Secret.fromEnv(${JSON.stringify(variable)}): use letters, digits and underscores. The first character must not be a digit.`,
        place,
      );
    }
    return { synthesized: synthesizeSecret(secret, this.element), value: UNKNOWN };
  }

  private literalSecret(place: Place<Attribute>): Read {
    return this.refuse(
      "Secret as plain text",
      'The secret would be readable in cdk.tf.json. Use Secret.fromEnv("NAME"), or Secret.unsafePlainText("…") for a test console.',
      place,
    );
  }

  /** Keeps a token, and renames the props inside it, which cdktf does not. */
  private token(type: Type<Attribute>, token: unknown, place: Place<Attribute>): unknown {
    const attributes = nestedAttributes(type);
    if (!attributes || !Tokenization.isResolvable(token)) return token;
    if (!isDynamic(token)) return withAttributeNames(type, token);
    const object = { kind: "object", attributes } as const;
    const { synthesized } = foldValue(object, token.content, this.fold, place.element(0));
    return token.iterator.dynamic({ ...(isPlainObject(synthesized) && synthesized) });
  }

  private wrongType(kind: Type<Attribute>["kind"], given: unknown, place: Place<Attribute>): Read {
    const hint = Construct.isConstruct(given)
      ? " A construct is not a value: pass one of its attributes, such as its id."
      : "";
    return this.refuse(
      "Wrong type",
      `This must be ${TYPE_NAMES[kind]}, or a token that gives one.${hint}`,
      place,
    );
  }

  private unknownProp(props: readonly string[], given: string, path: AttributePath): void {
    const meant = props.find((prop) => spelling(prop) === spelling(given));
    this.findings.push(
      error(
        "Unknown prop",
        meant === undefined ? `The props are: ${props.join(", ")}.` : `Did you mean ${meant}?`,
        [...propPath(this.attributes, path), given],
      ),
    );
  }

  private refuse(summary: string, detail: string, { path }: Place<Attribute>): Read {
    this.findings.push(error(summary, detail, propPath(this.attributes, path)));
    return { synthesized: undefined, value: UNKNOWN };
  }
}

/** The props that are plain values. */
function valueOfProps(props: object): ObjectValue {
  const known = Object.entries(props).filter(
    (entry): entry is [string, string | readonly string[]] =>
      typeof entry[1] === "string" ||
      (Array.isArray(entry[1]) && entry[1].every((one) => typeof one === "string")),
  );
  return Object.fromEntries(known);
}

function configurable(attributes: Attributes): readonly string[] {
  return Object.keys(attributes).filter((name) => {
    const attribute = memberOf(attributes, name);
    return attribute && isConfigurable(attribute);
  });
}

const TYPE_NAMES = {
  string: "a string",
  number: "a finite number",
  bool: "a boolean",
  list: "a list",
  set: "a list",
  map: "a map",
  object: "an object",
  tuple: "a list",
  any: "a value",
} as const satisfies Record<Type<Attribute>["kind"], string>;

function same(value: string | number | boolean): Read {
  return { synthesized: value, value };
}

// Finds props in Terraform's spelling or in another capitalization.
function spelling(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
