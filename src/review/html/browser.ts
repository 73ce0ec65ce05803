/**
 * Runs in the browser: filters the changes, and unfolds them for printing. The page holds the text
 * of this function, so it may use nothing else.
 */
export function runInBrowser(): void {
  /** A print has to show everything. */
  let folded: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    folded = Array.from(document.querySelectorAll<HTMLDetailsElement>("details:not([open])"));
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of folded) details.open = false;
  });

  const form = document.querySelector<HTMLFormElement>("#filters");
  const search = document.querySelector<HTMLInputElement>("#search");
  const action = document.querySelector<HTMLSelectElement>("#action");
  const address = document.querySelector<HTMLSelectElement>("#console");
  const group = document.querySelector<HTMLSelectElement>("#group");
  const weakens = document.querySelector<HTMLInputElement>("#weakens");
  const blind = document.querySelector<HTMLInputElement>("#blind");
  const status = document.querySelector("#shown");
  if (!form || !search || !action || !weakens || !status) return;

  const changes = Array.from(document.querySelectorAll<HTMLDetailsElement>("details.change"));
  const stacks = Array.from(document.querySelectorAll<HTMLElement>("section.stack"));
  const rows = Array.from(document.querySelectorAll<HTMLElement>("tr.stack"));
  const tables = Array.from(document.querySelectorAll<HTMLElement>(".table"));
  /** The sections of the consoles that were not read. */
  const blindGroups = new Set(
    rows
      .filter(({ dataset }) => dataset.blind === "yes")
      .flatMap(({ dataset }) => (dataset.groups ?? "").split(" ")),
  );
  // Computed on demand: the text of a large plan takes a while.
  const texts = new WeakMap<Element, string>();
  const searchedText = (element: Element): string => {
    const text = texts.get(element) ?? element.textContent.toLowerCase();
    texts.set(element, text);
    return text;
  };

  /** Reports whether the section of the change names a stack that is searched for. */
  const namesStack = (change: HTMLElement, wanted: string): boolean => {
    const section = change.closest("section.stack");
    const members = section?.querySelector(".members") ?? section?.querySelector("h3");
    return members ? searchedText(members).includes(wanted) : false;
  };

  const isInGroup = (ids: string | undefined): boolean =>
    !group || group.value === "" || (ids ?? "").split(" ").includes(group.value);

  const matches = (change: HTMLElement, wanted: string): boolean => {
    const { action: does, console: where, weakens: marked } = change.dataset;
    return (
      (action.value === "" || action.value === does) &&
      (!address || address.value === "" || address.value === where) &&
      (!weakens.checked || marked === "yes") &&
      isInGroup(change.closest("section.stack")?.id) &&
      (!blind?.checked || blindGroups.has(change.closest("section.stack")?.id ?? "")) &&
      (searchedText(change).includes(wanted) || namesStack(change, wanted))
    );
  };

  /** Shows only the matching entries of a list, if there are any. */
  const filterEntries = (change: HTMLElement, wanted: string): void => {
    const entries = Array.from(change.querySelectorAll<HTMLElement>("li.entry"));
    const found = new Set(entries.filter((entry) => searchedText(entry).includes(wanted)));
    for (const entry of entries) entry.hidden = found.size > 0 && !found.has(entry);
  };

  /**
   * Returns whether a row is shown: it follows the filters, and the search for its text or, if no
   * stack has that name, for the text of its changes.
   */
  const rowFilter = (wanted: string): ((row: HTMLElement) => boolean) => {
    const shown = new Set(stacks.filter(({ hidden }) => !hidden).map(({ id }) => id));
    const isFiltered =
      weakens.checked || action.value !== "" || (address !== null && address.value !== "");
    const isName = wanted !== "" && rows.some((row) => searchedText(row).includes(wanted));
    return (row) => {
      const found = (row.dataset.groups ?? "").split(" ").some((id) => shown.has(id));
      if (!isInGroup(row.dataset.groups) || (isFiltered && !found)) return false;
      if (blind?.checked && row.dataset.blind !== "yes") return false;
      return searchedText(row).includes(wanted) || (found && !isName);
    };
  };

  /** Counts objects, as the numbers of the page do: a change is one in each stack of its group. */
  const objectsOf = (shown: readonly HTMLElement[]): number =>
    shown.reduce((sum, { dataset }) => sum + Number(dataset.objects), 0);

  const filter = (): void => {
    const wanted = search.value.trim().toLowerCase();
    for (const change of changes) {
      change.hidden = !matches(change, wanted);
      if (!change.hidden) filterEntries(change, wanted);
    }
    for (const stack of stacks) {
      const isFiltered = stack.querySelector("details.change") !== null;
      stack.hidden = isFiltered && stack.querySelector("details.change:not([hidden])") === null;
    }
    const isShown = rowFilter(wanted);
    for (const row of rows) row.hidden = rows.length > 1 && !isShown(row);
    for (const table of tables) {
      const isEmpty = table.querySelector("tr.stack:not([hidden])") === null;
      (table.closest<HTMLElement>("details.quiet") ?? table).hidden = isEmpty;
    }
    const shown = objectsOf(changes.filter(({ hidden }) => !hidden));
    status.textContent = `${shown} of ${objectsOf(changes)} changes are shown.`;
  };

  const openAll = (open: boolean): void => {
    for (const change of changes) if (!change.hidden) change.open = open;
  };

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
  const more = document.querySelector("#more");
  more?.addEventListener("click", () => {
    const isOpen = form.classList.toggle("open");
    more.setAttribute("aria-expanded", String(isOpen));
  });
  filter();
}
