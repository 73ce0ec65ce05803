import { compareStrings } from "../../provider/values";
import type {
  Body,
  LocalExec,
  OutputConfig,
  ProviderReference,
  ResourceConfig,
  StackConfig,
  VariableConfig,
} from "../../runtime/config/stack-config";
import { formatVersionConstraint } from "../../runtime/config/version-constraint";
import { convert } from "../../runtime/expressions/convert";
import { unmark } from "../../runtime/expressions/evaluated";
import { EMPTY_SCOPE } from "../../runtime/expressions/scope";
import { struct, type JsonTree } from "../../runtime/state/format-json";
import { encodeExpression, subjectOf } from "./expressions";
import { knownPart } from "./value-trees";

/** `configuration`: the stack as Terraform tells one that is written in JSON. */
export function encodeConfiguration(
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
        ["resources", resources.length > 0 ? resources : undefined],
        ["variables", variables],
      ]),
    ],
  ]);
}

/** Those with blocks, and those that are required or used without one. */
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
      provisioners.length > 0
        ? provisioners.map((provisioner) => encodeProvisioner(provisioner, config))
        : undefined,
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
  if (references.length === 0) return undefined;
  return references.map((reference) => subjectOf(reference, config));
}

function encodeVariable(variable: VariableConfig): JsonTree {
  const { type, default: fallback, description, sensitive } = variable;
  const value = fallback && convert(fallback.evaluate(EMPTY_SCOPE).value, type).value;
  return struct([
    ["default", value === undefined ? undefined : (knownPart(unmark(value).value) ?? null)],
    ["description", description === "" ? undefined : description],
    ["sensitive", sensitive || undefined],
  ]);
}

/** Undefined where there are none. */
function members<T>(
  map: ReadonlyMap<string, T>,
  encode: (member: T, key: string) => JsonTree,
): JsonTree | undefined {
  if (map.size === 0) return undefined;
  return Object.fromEntries([...map].map(([key, member]) => [key, encode(member, key)]));
}
