import type { Reader } from "../reader";
import { expressions, manifest, stacks, variables } from "./configuration";
import { consoleAnswers, consoleObjects, csv } from "./console";
import { messages, names, plans, states } from "./documents";
import { reports, scripts } from "./files";
import { calls, privateState } from "./plugin";
import { data, options, requests } from "./simulator";
import { journal, remoteState, savedPlan, state } from "./stored";

/** Every reader of bytes from outside. */
export const READERS: readonly Reader[] = [
  consoleAnswers,
  consoleObjects,
  csv,
  stacks,
  manifest,
  expressions,
  variables,
  state,
  remoteState,
  journal,
  savedPlan,
  calls,
  privateState,
  reports,
  scripts,
  requests,
  data,
  options,
  states,
  plans,
  names,
  messages,
];
