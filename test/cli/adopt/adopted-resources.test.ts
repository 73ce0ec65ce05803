import { readConsole } from "../../../src/cli/adopt/read-console";
import { stackSource } from "../../../src/cli/adopt/stack-source";
import { RELEASES } from "../../../src/api/release";
import { releasesWith } from "../../../src/provider/release-changes";
import { resources } from "../../../src/provider/resources";
import { ready } from "../../provider/support/consoles";
import { Engine } from "../../provider/support/engine";

test.each(RELEASES)(
  "writes a construct for each collection that a console of %s has entries of",
  async (release) => {
    const { connection } = await ready({ release });
    const collections = resources.filter(
      (one) => one.collection?.kind && releasesWith(one).includes(release),
    );
    for (const { type, sample } of collections) {
      await new Engine(connection, type).applied({ ...sample, ownership: null });
    }
    const { signal } = new AbortController();
    const adopted = await readConsole(connection, "exclusive", signal);
    expect(adopted.flatMap(({ obstacles }) => obstacles)).toEqual([]);
    const source = stackSource({
      baseUrl: "https://console.test",
      release,
      stack: "all",
      adopted,
    });
    const written = [
      ...source.matchAll(
        /^new (\w+)\(stack, "([\w-]+)"[^;]*\.importFrom\("([^":]+)(?::extra_json)?"\);$/gms,
      ),
    ];
    expect(written.map(([, construct, id, importId]) => [construct, id, importId])).toEqual(
      collections.map(({ construct, collection, importId }) => [
        construct,
        collection?.constructId,
        importId,
      ]),
    );
  },
);
