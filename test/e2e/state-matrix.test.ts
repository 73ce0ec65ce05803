import { describeWithAzurite } from "../object-stores/azurite";
import { describeWithFakeGcs } from "../object-stores/fake-gcs";
import { describeWithMinio } from "../object-stores/minio";
import { describeWithMoto } from "../object-stores/moto";
import { describeWithTofu, putTofuOnPath } from "../opentofu/install";
import { slice } from "../support/cases";
import { describeWithPostgres } from "../support/postgres";
import { describeWithTerraform } from "../support/terraform";
import { STATE_PLACES, type BackendType, type StatePlace } from "./support/state-places";
import { ENGINES, StateWalk } from "./support/state-walk";

/**
 * Backends with each engine in each step, by pairs: a walk of a backend changes the engine from step to
 * step. The others have other suites. `STATE_MATRIX=1 npx jest state-matrix` walks in each backend
 * with each engine in each step, also over a bucket of MinIO that keeps all versions.
 */
const ALL = process.env.STATE_MATRIX !== undefined;

jest.setTimeout(600_000);

const WHERE: Readonly<Partial<Record<BackendType, (name: string, tests: () => void) => void>>> = {
  local: describe,
  http: describe,
  pg: describeWithPostgres,
  s3: describeWithMoto,
  gcs: describeWithFakeGcs,
  azurerm: describeWithAzurite,
  ...(ALL && { minio: describeWithMinio }),
};

putTofuOnPath();

describeWithTerraform("one state for three engines", () => {
  describeWithTofu("in each backend", () => {
    const places = Object.entries(WHERE);
    (ALL ? places : slice(places, 3)).forEach(([name, describeWhere], index) => {
      const type = name as BackendType;
      describeWhere(`the backend ${type}`, () => {
        let place: StatePlace;
        beforeAll(async () => {
          place = await STATE_PLACES[type]();
        });
        afterAll(() => place.close());

        describe.each(ALL ? [0, 1, 2] : [index % 3])("from engine %s", (first) => {
          const [one = "embedded", two = "terraform", three = "tofu"] = [0, 1, 2].map(
            (next) => ENGINES[(first + next) % 3],
          );
          let walk: StateWalk;
          beforeAll(async () => {
            walk = await StateWalk.open(place, `walk${first}`);
          });
          afterAll(() => walk.close());

          test(`${one} applies`, () => walk.apply(one));
          test(`${one} finds nothing to do`, () => walk.planIsEmpty(one));
          test(`${two} finds nothing to do`, () => walk.planIsEmpty(two));
          test(`${three} applies a change`, async () => {
            walk.change("Second");
            await walk.apply(three);
          });
          test(`${two} applies, and excludes ${one}`, async () => {
            walk.change("Third");
            await walk.applyExcluding(two, one);
          });
          test(`${three} continues after a kill of ${one}`, async () => {
            walk.change("Fourth");
            await walk.kill(one);
            await walk.unlock();
            await walk.apply(three);
            await walk.planIsEmpty(three);
          });
          test(`${two} destroys`, () => walk.destroy(two));

          if (type === "http") return;
          test(`${three} applies in another workspace, where ${one} finds nothing to do`, async () => {
            const blue = await StateWalk.open(place, `walk${first}`, "blue");
            try {
              await blue.apply(three);
              await blue.planIsEmpty(one);
            } finally {
              await blue.close();
            }
            expect((await walk.stored())?.resources ?? []).toEqual([]);
          });
        });
      });
    });
  });
});
