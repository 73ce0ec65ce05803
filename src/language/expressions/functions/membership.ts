/**
 * Makes a test for the elements of a list. It finds strings without a comparison with each element.
 *
 * @param isSame Compares elements that are not two strings.
 */
export function membershipIn<Item>(
  list: readonly Item[],
  isSame: (item: Item, wanted: Item) => boolean,
): (wanted: Item) => boolean {
  const isString = (item: Item): boolean => typeof item === "string";
  const strings = new Set(list.filter(isString));
  const others = list.filter((item) => !isString(item));
  return (wanted) =>
    strings.has(wanted) || (isString(wanted) ? others : list).some((item) => isSame(item, wanted));
}
