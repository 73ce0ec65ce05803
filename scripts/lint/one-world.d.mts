import type { Rule } from "eslint";

export const oneWorld: Rule.RuleModule;
