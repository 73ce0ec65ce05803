import type { Rule } from "eslint";

export const printedText: Rule.RuleModule;
