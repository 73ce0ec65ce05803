/**
 * Gets an own member of an object by a name from anywhere: `constructor` and `__proto__` are members
 * of every object otherwise. A lint allows no other access by a name that is not known.
 */
export function memberOf<V>(
  object: { readonly [name: string]: V } | null | undefined,
  name: string | number,
): V | undefined {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets an own member, also one named `__proto__`. */
export function setMember<V>(object: Record<string, V>, name: string, value: V): void {
  if (name !== "__proto__") object[name] = value;
  else {
    const own = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(object, name, own);
  }
}

/** Returns an object of the same names, whose members are computed from those of another one. */
export function mapMembers<V, Result>(
  object: { readonly [name: string]: V },
  compute: (member: V, name: string) => Result,
): { [name: string]: Result } {
  const computed: Record<string, Result> = {};
  for (const [name, member] of Object.entries(object)) {
    setMember(computed, name, compute(member, name));
  }
  return computed;
}

/** Reports whether a value is an object, and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
