/*
 * Forbids to load modules by computed names: the package contains only what the bundler follows.
 */

export const unbundled = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      loaded:
        "The package does not contain what this loads. Import a module by its name; the build makes it lazy.",
    },
  },
  create(context) {
    const refuse = (node) => context.report({ node, messageId: "loaded" });
    return {
      "ImportExpression[source.type!='Literal']": refuse,
      "ImportDeclaration[source.value='node:module'] > ImportSpecifier[imported.name='createRequire']":
        refuse,
    };
  },
};
