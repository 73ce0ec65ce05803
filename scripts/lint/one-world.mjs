/*
 * Forbids time, randomness and files that do not come from `world` of src/core/io/world.ts: a simulation
 * could not repeat a run.
 */

const GLOBALS = new Set(["performance", "crypto", "setTimeout", "setInterval", "setImmediate"]);
const MODULES = new Set(["node:timers", "node:timers/promises", "node:perf_hooks"]);
const FILES = new Set(["node:fs", "node:fs/promises"]);
const RANDOM = /^(random.*|getRandomValues|generateKey.*|webcrypto|default)$/;
const MEMBERS = new Set(["Date.now", "Math.random", "AbortSignal.timeout"]);

export const oneWorld = {
  meta: {
    type: "problem",
    schema: [],
    messages: { outside: "{{name}} is outside of the world of src/core/io/world.ts." },
  },
  create(context) {
    const refuse = (node, name) => {
      context.report({ node, messageId: "outside", data: { name } });
    };
    return {
      ImportDeclaration(node) {
        const from = node.source.value;
        if (node.importKind === "type") return;
        if (MODULES.has(from)) refuse(node, from);
        for (const specifier of node.specifiers) {
          const name = specifier.imported?.name ?? "default";
          if (specifier.importKind === "type") continue;
          if (from === "node:crypto" && RANDOM.test(name)) refuse(specifier, name);
          if (FILES.has(from) && name !== "constants") refuse(specifier, name);
        }
      },
      MemberExpression({ object, property, computed, parent }) {
        const name = `${object.name}.${property.name}`;
        if (!computed && MEMBERS.has(name)) refuse(parent, name);
      },
      "NewExpression[callee.name='Date'][arguments.length=0]"(node) {
        refuse(node, "new Date()");
      },
      "Program:exit"(node) {
        for (const { identifier } of context.sourceCode.getScope(node).through) {
          if (GLOBALS.has(identifier.name)) refuse(identifier, identifier.name);
        }
      },
    };
  },
};
