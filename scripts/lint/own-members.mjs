import ts from "typescript";

/*
 * Forbids `object[name]` and `name in object` where the name may be any string: names such as
 * `constructor` and `__proto__` are members of every object. A read is allowed after a check with
 * `Object.hasOwn`. Lists, and names of a union of literals, are not concerned.
 */

const isAnyString = (type, checker) => {
  // `keyof T & string`
  if (type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.Index)) {
    return false;
  }
  if (type.isUnion() || type.isIntersection()) {
    return type.types.some((part) => isAnyString(part, checker));
  }
  if (type.flags & ts.TypeFlags.String) return true;
  const constraint =
    type.flags & ts.TypeFlags.TypeParameter ? checker.getBaseConstraintOfType(type) : undefined;
  return constraint !== undefined && constraint !== type && isAnyString(constraint, checker);
};

/** `Object.hasOwn(object, name) ? object[name] : …` */
function isChecked(node, source) {
  const { parent } = node;
  if (parent.type !== "ConditionalExpression" || parent.consequent !== node) return false;
  const check = `Object.hasOwn(${source.getText(node.object)}, ${source.getText(node.property)})`;
  return source.getText(parent.test).split(" && ").includes(check);
}

export const ownMembers = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      access: "Use memberOf or setMember of src/core/member-of.ts, or a Map.",
      in: "Use Object.hasOwn, or a Map.",
    },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    const checker = services.program.getTypeChecker();
    const mayBeAny = (node) => isAnyString(services.getTypeAtLocation(node), checker);
    return {
      "MemberExpression[computed=true]"(node) {
        if (!mayBeAny(node.property) || isChecked(node, context.sourceCode)) return;
        context.report({ node, messageId: "access" });
      },
      'BinaryExpression[operator="in"]'(node) {
        if (node.left.type === "PrivateIdentifier" || !mayBeAny(node.left)) return;
        context.report({ node, messageId: "in" });
      },
    };
  },
};
