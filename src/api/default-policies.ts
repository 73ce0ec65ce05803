/**
 * The container compliance policies of a fresh console, in each release (notes on the
 * specification). They have all scopes, and none of their checks blocks.
 */
export const DEFAULT_POLICIES: readonly {
  readonly name: string;
  readonly checks: readonly number[];
}[] = [
  { name: "Default - ignore own components", checks: [56, 57] },
  { name: "Default - alert on critical and high", checks: [41, 51] },
];
