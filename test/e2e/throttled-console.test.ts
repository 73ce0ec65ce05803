import { readdirSync } from "node:fs";
import { writeStacks, temporaryFolder } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { LONG_TESTS } from "../support/cases";
import {
  startSecondConsole,
  type SecondConsole,
  type SecondConsoleOptions,
} from "../second-console";

jest.setTimeout(120_000);

let console_: SecondConsole | undefined;
afterEach(() => console_?.close());

const collection = (name: string) => ({ kind: "collection", body: { name, images: [name] } });

/** Applies stacks to a console with a limit. The addresses and credentials are in the environment. */
async function apply(
  options: SecondConsoleOptions,
  stacks: Readonly<
    Record<string, { readonly project?: string; readonly names: readonly string[] }>
  >,
) {
  const served = (console_ = await startSecondConsole(options));
  const directory = temporaryFolder();
  writeStacks(
    directory,
    Object.fromEntries(
      Object.entries(stacks).map(([stack, { project, names }]) => [
        stack,
        {
          provider: { cwp: [{ ...(project !== undefined && { project }) }] },
          resource: {
            cwp_object: Object.fromEntries(names.map((name) => [name, collection(name)])),
          },
        },
      ]),
    ),
  );
  const environment = {
    ...served.environment,
    CONSOLE_USERNAME: "admin",
    CONSOLE_PASSWORD: "long-password-1",
  };
  const terminal = new TestTerminal({ directory, environment });
  const code = await terminal.run("apply", "--auto-approve", "--out-dir", "cdktf.out", "*");
  const states = readdirSync(directory).filter((file) => file.endsWith(".tfstate"));
  const posts = served.requests.filter(
    ({ method, path }) => method === "POST" && path === "collections",
  );
  const tokens = served.requests.filter(({ path }) => path === "authenticate");
  return { code, err: terminal.err, out: terminal.out, states, posts, tokens, served };
}

const names = Array.from({ length: LONG_TESTS ? 12 : 6 }, (_, index) => `acc-${index}`);

test.each([undefined, 1])(
  "writes all objects to a console that takes one in a while, Retry-After: %s",
  async (retryAfter) => {
    const writes = { perMinute: 300, ...(retryAfter !== undefined && { retryAfter }) };
    const { code, err, posts, served } = await apply({ writes }, { app: { names } });
    expect([code, err]).toEqual([0, ""]);
    const there = served.content().lists.collections?.map((one) => (one as { name: string }).name);
    expect(there?.filter((name) => name.startsWith("acc-")).sort()).toEqual([...names].sort());
    expect(posts.length).toBeLessThanOrEqual(2 * names.length + 10);
  },
);

test("tenants as projects of one console share its token and its limits", async () => {
  const tenants = Array.from({ length: LONG_TESTS ? 200 : 60 }, (_, index) => `tenant-${index}`);
  const { code, err, states, posts, tokens } = await apply(
    { writes: { perWindow: 20, windowMs: 1000 } },
    Object.fromEntries(tenants.map((project) => [project, { project, names: ["shop"] }])),
  );
  expect([code, err]).toEqual([0, ""]);
  expect(states).toHaveLength(tenants.length);
  expect(new Set(posts.map(({ project }) => project))).toEqual(new Set(tenants));
  expect(posts.length).toBeLessThanOrEqual(2 * tenants.length + 10);
  expect(tokens).toHaveLength(1);
});
