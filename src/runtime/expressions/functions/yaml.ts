import { anything, define, string, type FunctionDefinition } from "./language-function";
import { decodeYaml, loadYaml } from "./yaml-decode";
import { encodeYaml } from "./yaml-encode";

export const yamlFunctions: Readonly<Record<string, FunctionDefinition>> = {
  yamldecode: { ...define([string], ([text]) => decodeYaml(text)), load: loadYaml },
  yamlencode: define([anything], ([value]) => encodeYaml(value)),
};
