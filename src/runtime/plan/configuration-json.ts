import { unmark } from "../../core/marks";
import {
  compareStrings,
  isNumberValue,
  isWhollyKnown,
  type AttributePath,
  type Value,
} from "../../core/values";
import {
  blockOf,
  type Body,
  childrenOf,
  type Expression,
  formatSubject,
  formatVersionConstraint,
  type LocalExec,
  type Node,
  type OutputConfig,
  type ProviderReference,
  type Reference,
  type ResourceConfig,
  splitKey,
  type StackConfig,
  type VariableConfig,
} from "../../language";
import { formatAddress } from "../../core/documents/address";
import { withoutUnknown } from "./outputs";
import { struct, unlessEmpty, type JsonTree } from "../../core/json/format-json";

/** Encodes a stack as `configuration` in the JSON of a plan, as Terraform does for cdk.tf.json. */
export function configurationJson(
  config: StackConfig,
  schemaVersions: ReadonlyMap<string, number>,
): JsonTree {
  const resources = [config.resources, config.dataSources].flatMap((blocks) =>
    [...blocks.values()]
      .sort((a, b) => compareStrings(a.address, b.address))
      .map((block) => encodeBlock(block, config, schemaVersions.get(block.address) ?? 0)),
  );
  const outputs = members(config.outputs, (output) => encodeOutput(output, config));
  const variables = members(config.variables, encodeVariable);
  return struct([
    ["provider_config", encodeProviders(config)],
    [
      "root_module",
      struct([
        ["outputs", outputs],
        ["resources", unlessEmpty(resources)],
        ["variables", variables],
      ]),
    ],
  ]);
}

/** Providers with a block, and those that are required or used without one. */
function encodeProviders(config: StackConfig): JsonTree | undefined {
  const { providers, requiredProviders } = config;
  const keys = new Map<string, ProviderReference>(
    [...requiredProviders.keys()].map((name) => [name, { name }]),
  );
  for (const [key, block] of providers) keys.set(key, block);
  return members(keys, ({ name, alias }, key) => {
    const required = requiredProviders.get(name);
    const body = providers.get(key)?.body;
    return struct([
      ["name", name],
      ["full_name", required?.address],
      ["alias", alias],
      [
        "version_constraint",
        required?.version === undefined ? undefined : formatVersionConstraint(required.version),
      ],
      ["expressions", body && encodeBody(body, config)],
    ]);
  });
}

function encodeBlock(block: ResourceConfig, config: StackConfig, version: number): JsonTree {
  const { mode, type, name, provider, count, forEach, dependsOn, provisioners } = block;
  const alias = provider.alias === undefined ? "" : `.${provider.alias}`;
  return struct([
    ["address", block.address],
    ["mode", mode],
    ["type", type],
    ["name", name],
    ["provider_config_key", provider.name + alias],
    [
      "provisioners",
      unlessEmpty(provisioners.map((provisioner) => encodeProvisioner(provisioner, config))),
    ],
    ["expressions", encodeBody(block.body, config)],
    ["schema_version", version],
    ["count_expression", count && encodeExpression(count, config)],
    ["for_each_expression", forEach && encodeExpression(forEach, config)],
    ["depends_on", encodeDependencies(dependsOn, config)],
  ]);
}

function encodeProvisioner(provisioner: LocalExec, config: StackConfig): JsonTree {
  const { command, interpreter, workingDir, environment, quiet } = provisioner;
  const given = Object.entries({
    command,
    interpreter,
    working_dir: workingDir,
    environment,
    quiet,
  }).flatMap(([name, expression]) => (expression ? [[name, expression] as const] : []));
  return struct([
    ["type", "local-exec"],
    ["expressions", encodeBody(new Map(given), config)],
  ]);
}

function encodeBody(body: Body, config: StackConfig): JsonTree | undefined {
  return members(body, (expression) => encodeExpression(expression, config));
}

function encodeOutput(output: OutputConfig, config: StackConfig): JsonTree {
  return struct([
    ["sensitive", output.sensitive || undefined],
    ["ephemeral", output.ephemeral || undefined],
    ["expression", encodeExpression(output.value, config)],
    ["depends_on", encodeDependencies(output.dependsOn, config)],
    ["description", output.description === "" ? undefined : output.description],
  ]);
}

function encodeDependencies(references: ResourceConfig["dependsOn"], config: StackConfig) {
  return unlessEmpty(references.map((reference) => subjectOf(reference, config)));
}

function encodeVariable(variable: VariableConfig): JsonTree {
  const { description, sensitive } = variable;
  const fallback = defaultOf(variable);
  return struct([
    [
      "default",
      fallback !== undefined && isWhollyKnown(fallback) ? withoutUnknown(fallback) : undefined,
    ],
    ["description", description === "" ? undefined : description],
    ["sensitive", sensitive || undefined],
  ]);
}

/** The default of a variable, converted to its type; undefined without one. */
export function defaultOf({ default: fallback }: VariableConfig): Value | undefined {
  return fallback === undefined ? undefined : unmark(fallback).value;
}

/** Undefined for an empty map. */
function members<T>(
  map: ReadonlyMap<string, T>,
  encode: (member: T, key: string) => JsonTree,
): JsonTree | undefined {
  return unlessEmpty(
    Object.fromEntries([...map].map(([key, member]) => [key, encode(member, key)])),
  );
}

type ReferenceNode = Extract<Node, { kind: "reference" }>;

/**
 * Encodes an expression as Terraform encodes one of a JSON configuration: the value as written,
 * templates included, and all references, each followed by its prefixes.
 */
function encodeExpression(expression: Expression, config: StackConfig): JsonTree {
  const references = referenceNodes(expression.node).flatMap((node) => namesOf(node, config));
  return struct([
    ["constant_value", encodeWritten(expression.json)],
    ["references", unlessEmpty(references)],
  ]);
}

function encodeWritten(json: unknown): JsonTree {
  if (typeof json === "string") return json.normalize("NFC");
  if (isNumberValue(json) || typeof json === "boolean") return json;
  if (Array.isArray(json)) return json.map(encodeWritten);
  if (typeof json !== "object" || json === null) return null;
  return Object.fromEntries(
    Object.entries(json).map(([key, member]) => [key.normalize("NFC"), encodeWritten(member)]),
  );
}

function referenceNodes(node: Node): readonly ReferenceNode[] {
  return node.kind === "reference" ? [node] : childrenOf(node).flatMap(referenceNodes);
}

/** `a.b[0].c`, `a.b[0]`, `a.b` */
function namesOf({ reference, text }: ReferenceNode, config: StackConfig): readonly string[] {
  const block = blockOf(config, reference);
  const { key, path } = splitKey(reference, block);
  const subject = block ? formatAddress({ ...block, key }) : formatSubject(reference.subject);
  const steps = spell(path, text);
  const longer = steps.map((_, index) => subject + steps.slice(0, steps.length - index).join(""));
  return [...longer, subject, ...(block && key !== undefined ? [block.address] : [])];
}

/** Formats a reference of `depends_on`, which is to a whole object. */
function subjectOf(reference: Reference, config: StackConfig): string {
  const block = blockOf(config, reference);
  if (!block) return formatSubject(reference.subject);
  return formatAddress({ ...block, key: splitKey(reference, block).key });
}

const STEP = /\.\s*[^\s.[\]]+|\[\s*(?:"(?:[^"\\]|\\.)*"|[^\]]*?)\s*\]/g;

/** Spells steps as written: `.name` and `["name"]` have the same path. */
function spell(path: AttributePath, text: string): readonly string[] {
  const written = path.length === 0 ? [] : (text.match(STEP) ?? []).slice(-path.length);
  return path.map((step, index) => {
    if (typeof step === "number") return `[${step}]`;
    return written[index]?.startsWith("[") ? `[${JSON.stringify(step)}]` : `.${step}`;
  });
}
