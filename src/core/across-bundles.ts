/**
 * Lets `instanceof` recognise the instances of a class by a global symbol. Several files of dist
 * contain the same class, and an instance that passes from one to another is of the other's class.
 * The build refuses a class without it, if a bundle that loads another compares both.
 *
 *     static {
 *       acrossBundles(this, "GrpcError");
 *     }
 */
export function acrossBundles(one: abstract new (...given: never[]) => object, name: string): void {
  const symbol = Symbol.for(`cdktf-console: ${name}`);
  Object.defineProperty(one.prototype, symbol, { value: true });
  Object.defineProperty(one, Symbol.hasInstance, {
    value: (value: unknown) => typeof value === "object" && value !== null && symbol in value,
  });
}
