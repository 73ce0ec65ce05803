import type { Attributes } from "../../provider/schema/attribute";
import { isConfigurable } from "../../provider/schema/terraform";
import {
  isListValue,
  isObjectValue,
  memberOf,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../provider/values";

/**
 * Returns the configuration with the values of `ignore_changes` taken from the prior object.
 * Write-only attributes, which have no prior value, and computed ones stay as configured.
 */
export function ignoreChanges(
  attributes: Attributes,
  config: ObjectValue,
  prior: ObjectValue,
  ignored: "all" | readonly AttributePath[],
): ObjectValue {
  const paths = ignored === "all" ? Object.keys(attributes).map((name) => [name]) : ignored;
  return paths
    .filter(([name]) => {
      const attribute = attributes[String(name)];
      return attribute && isConfigurable(attribute) && attribute.writeOnly !== true;
    })
    .reduce<ObjectValue>((current, path) => {
      const replaced = takeFrom(current, prior, path);
      return isObjectValue(replaced) ? replaced : current;
    }, config);
}

/** Takes the value at `path` from `prior`; adds or removes the key of a map. */
function takeFrom(config: Value, prior: Value, path: AttributePath): Value {
  const [step, ...rest] = path;
  if (step === undefined) return prior;
  if (isListValue(config) && isListValue(prior) && typeof step === "number") {
    if (step >= prior.length) return config;
    return config.map((member, index) =>
      index === step ? takeFrom(member, prior[index] ?? null, rest) : member,
    );
  }
  if (!isObjectValue(config) || !isObjectValue(prior)) return config;
  const key = String(step);
  if (Object.hasOwn(prior, key)) {
    return { ...config, [key]: takeFrom(memberOf(config, key) ?? null, prior[key] ?? null, rest) };
  }
  return Object.fromEntries(Object.entries(config).filter(([name]) => name !== key));
}
