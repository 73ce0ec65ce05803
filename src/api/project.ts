/** The project that a console has from the start, which requests without a project are for. */
const FIRST_PROJECT = "Central Console";

/** Returns the project that requests name; undefined for the first one. */
export function namedProject(project: string | undefined): string | undefined {
  return project === FIRST_PROJECT ? undefined : project;
}
