/*
 * Forbids `declare module`: a type has the members that its file shows.
 */

export const declaredModule = {
  meta: {
    type: "problem",
    schema: [],
    messages: { declared: "Attach a value by a key of src/core/notes.ts." },
  },
  create(context) {
    return {
      "TSModuleDeclaration[id.type='Literal']"(node) {
        context.report({ node, messageId: "declared" });
      },
    };
  },
};
