import { readPaths } from "../../../src/cli/adopt/read-paths";
import { closeSecondConsoles, connectToSecond } from "../../provider/support/second-console";

afterEach(closeSecondConsoles);

const accounts = Array.from({ length: 60 }, (_, index) => ({
  credentialId: `acc-${index}`,
  discoveryEnabled: false,
}));
const { signal } = new AbortController();

test.each([true, false])(
  "adopts all objects of a console that answers pages of 50, Total-Count: %s",
  async (totalCount) => {
    const { served, connection } = await connectToSecond({
      content: { lists: { "cloud-scan-rules": accounts } },
      pages: { totalCount },
    });
    const adopted = await readPaths(connection, ["cloud-scan-rules"], signal);
    expect(adopted.map(({ state }) => state.id)).toEqual(
      accounts.map(({ credentialId }) => credentialId),
    );
    expect(served.writes()).toEqual([]);
  },
);

test("adopts nothing of a list that is not whole", async () => {
  const { connection } = await connectToSecond({
    content: { lists: { "cloud-scan-rules": accounts } },
    pages: { totalCount: { plus: 1 } },
  });
  const [adopted] = await readPaths(connection, ["cloud-scan-rules"], signal);
  expect(adopted).toMatchObject({ count: 0 });
  expect(adopted?.unread?.message).toContain(
    "the console answers 60 rows, and its Total-Count says 61",
  );
});
