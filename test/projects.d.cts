/** The project of jest that a suite belongs to; undefined if it belongs to none. */
export function projectOf(file: string, text: string): string | undefined;
/** The paths of the suites of each project. */
export function suites(): Readonly<Record<string, readonly string[]>>;
