import { readConsole } from "../../../src/cli/adopt/read-console";
import { readPaths } from "../../../src/cli/adopt/read-paths";
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

test.each([
  [{ _id: "x", rules: [{ name: "a" }], learningDisabled: true }, ["list", "setting"]],
  [{ _id: "x", policyType: "y", rules: [{ name: "a" }], learningDisabled: false }, ["list"]],
])("adopts what is next to the list of %j", async (document, forms) => {
  const { connection, console } = await ready();
  await console.store("policies/runtime/host", document);
  const { signal } = new AbortController();
  const adopted = await readPaths(connection, ["policies/runtime/host"], signal);
  expect(adopted.map(({ resource }) => resource.type)).toEqual(forms.map((form) => `cwp_${form}`));
});

test("adopts a document with a list and other members as a whole", async () => {
  const { connection, console } = await ready({ any: () => undefined });
  await console.store("settings/hooks", { hooks: [{ name: "a" }] });
  await console.store("settings/logging", { hooks: [{ name: "a" }], enabled: true });
  const { signal } = new AbortController();
  const adopted = await readPaths(connection, ["settings/hooks", "settings/logging"], signal);
  expect(adopted.map(({ importId, resource: { type } }) => [type, importId])).toEqual([
    ["cwp_list", '{"path":"settings/hooks","member":"hooks","key":["name"]}'],
    ["cwp_setting", '{"path":"settings/logging","method":"POST"}'],
  ]);
});
