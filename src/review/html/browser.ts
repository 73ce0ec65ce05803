/**
 * Runs in the browser: filters the changes, and unfolds them for printing. The page holds the text
 * of this function, so it may use nothing else.
 */
export function runInBrowser(): void {
  const form = document.querySelector<HTMLFormElement>("#filters");
  const search = document.querySelector<HTMLInputElement>("#search");
  const action = document.querySelector<HTMLSelectElement>("#action");
  const address = document.querySelector<HTMLSelectElement>("#console");
  const weakens = document.querySelector<HTMLInputElement>("#weakens");
  const status = document.querySelector("#shown");
  if (!form || !search || !action || !weakens || !status) return;

  const changes = Array.from(document.querySelectorAll<HTMLDetailsElement>("details.change"));
  const stacks = Array.from(document.querySelectorAll<HTMLElement>("section.stack"));
  // Computed on demand: the text of a large plan takes a while.
  const texts = new WeakMap<Element, string>();
  const textOf = (element: Element): string => {
    const text = texts.get(element) ?? element.textContent.toLowerCase();
    texts.set(element, text);
    return text;
  };

  const matches = (change: HTMLElement, wanted: string): boolean => {
    const { action: does, console: where, weakens: marked } = change.dataset;
    return (
      (action.value === "" || action.value === does) &&
      (!address || address.value === "" || address.value === where) &&
      (!weakens.checked || marked === "yes") &&
      textOf(change).includes(wanted)
    );
  };

  /** Shows only the matching entries of a list, if there are any. */
  const filterEntries = (change: HTMLElement, wanted: string): void => {
    const entries = Array.from(change.querySelectorAll<HTMLElement>("li.entry"));
    const found = new Set(entries.filter((entry) => textOf(entry).includes(wanted)));
    for (const entry of entries) entry.hidden = found.size > 0 && !found.has(entry);
  };

  const filter = (): void => {
    const wanted = search.value.trim().toLowerCase();
    let shown = 0;
    for (const change of changes) {
      change.hidden = !matches(change, wanted);
      if (change.hidden) continue;
      shown += 1;
      filterEntries(change, wanted);
    }
    for (const stack of stacks) {
      const isFiltered = stack.querySelector("details.change") !== null;
      stack.hidden = isFiltered && stack.querySelector("details.change:not([hidden])") === null;
    }
    status.textContent = `${shown} of ${changes.length} changes are shown.`;
  };

  const openAll = (open: boolean): void => {
    for (const change of changes) if (!change.hidden) change.open = open;
  };

  /** A print has to show everything. */
  let folded: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    folded = Array.from(document.querySelectorAll<HTMLDetailsElement>("details:not([open])"));
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of folded) details.open = false;
  });

  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
  });
  form.addEventListener("input", filter);
  document.querySelector("#expand")?.addEventListener("click", () => {
    openAll(true);
  });
  document.querySelector("#collapse")?.addEventListener("click", () => {
    openAll(false);
  });
  filter();
}
