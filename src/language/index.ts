/**
 * Terraform's JSON configuration and expressions.
 */
export {
  type Assembly,
  noSuchStack,
  readAssembly,
  stacksOfAssembly,
  type StackEntry,
} from "./config/assembly";
export { type BackendConfig, localBackend, SERVER_BLOCKS } from "./config/backend-block";
export {
  type ConstructAddress,
  constructAddresses,
  endsConstructPath,
  namesOf,
} from "./config/construct-addresses";
export { blockOf, splitKey } from "./config/instance-key";
export { readJsonFile } from "./config/json-file";
export {
  type BackendDescription,
  describeBackend,
  earlierBackends,
  mayForgetBackend,
  type PlacedStack,
  type PresentState,
  recordBackend,
  stateLeftBehind,
} from "./config/last-backend";
export { errorAt, locate, type Location } from "./config/located";
export {
  backendConfig,
  backendOf,
  localStatePath,
  openBackend,
  stateIdentity,
} from "./config/open-backend";
export { type Workspaces, workspacesOf } from "./config/workspaces";
export { providerKey } from "./config/provider-blocks";
export { importsOf } from "./config/refactoring-blocks";
export { block, constructPathOf, problemsOf, repeatedBlock, single } from "./config/shape";
export type {
  Body,
  CheckConfig,
  Condition,
  EphemeralConfig,
  ImportConfig,
  Lifecycle,
  LocalExec,
  MoveConfig,
  OutputConfig,
  ProviderBlock,
  ProviderReference,
  RemovalConfig,
  ReplaceTrigger,
  ResourceConfig,
  StackConfig,
  VariableConfig,
} from "./config/stack-config";
export { readConfiguration, unreadFiles } from "./config/stack-file";
export { parseStack, readStack } from "./config/stack";
export { impliedProvider } from "./config/terraform-block";
export {
  type AssignedVariable,
  automaticFiles,
  COMMAND_LINE,
  readAssignments,
  type SecretSource,
  type VariableArgument,
  type VariableInputs,
} from "./config/variable-sources";
export {
  formatVersionConstraint,
  parseVersionConstraint,
  type VersionCondition,
} from "./config/version-constraint";
export type { Constraint } from "./expressions/constraint";
export { convert } from "./expressions/convert";
export { Expression, type ExpressionPosition, referencesIn } from "./expressions/expression";
export { decodeJson, fromJson } from "./expressions/functions/json-functions";
export { formatLimit, LIMITS } from "./expressions/limits";
export { childrenOf, hasCall, type Node } from "./expressions/nodes";
export { parseExpression, parseHcl } from "./expressions/parse";
export { isNull, NOT_NULL, unknownOf } from "./expressions/ranges";
export { provisionerReferences } from "./config/resource-blocks";
export { formatSubject, type Reference, type Subject } from "./expressions/reference";
export { refusalDetail, REFUSALS } from "./expressions/refusals";
export { EMPTY_SCOPE, type ReferenceProblem, type EvaluationScope } from "./expressions/scope";
export { plainStep, type TraversalStep } from "./expressions/template";
export { NO_ELEMENT, outOfRange, referenceProblem } from "./expressions/traversal";
export { isConvertible } from "./expressions/unify";
