import { ConfigurationError } from "./errors";

/** Reports whether a value is null, empty, or an object of blank members. */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isBlank);
}

/**
 * Returns the items without `credential`, which releases from 20.09 on show with empty members and
 * do not accept (9.1). Throws a ConfigurationError for one with content, because leaving it out
 * would lose it.
 *
 * @param what Name of the items for messages, in the plural.
 */
export function withoutInlineCredentials(
  what: string,
  items: readonly object[],
): readonly object[] {
  return items.map((item, index) => {
    if (!("credential" in item)) return item;
    const { credential, ...rest } = item;
    if (isBlank(credential)) return rest;
    throw new ConfigurationError(
      "credential",
      `Item ${index} of the ${what} has an inline credential, which releases from 20.09 on do not accept. Store the credential on the console and name it by credentialID.`,
    );
  });
}
