import type { FunctionDefinition } from "../definitions/function-definition";
import { policiesFromJson } from "./policies-from-json";
import { policiesToJson } from "./policies-to-json";

/** All functions of the console's provider: a new one is a line here. */
export const functions: readonly FunctionDefinition[] = [policiesFromJson, policiesToJson];
