import { RELEASES, type Release } from "../../../src/api/release";
import type { ObjectValue } from "../../../src/provider/values";
import { ready } from "../support/consoles";
import { objectsIn, stateOf } from "./read";

const TYPE = "cwp_images";
const WITHOUT_TIMES: readonly Release[] = ["20.04", "20.09"];

const imagesOf = ({ images }: ObjectValue) => objectsIn(images);

test.each(RELEASES)("release %s: reads images and the times of their layers", async (release) => {
  const { connection } = await ready({ release });
  const images = imagesOf(await stateOf(connection, TYPE));
  const { images: inNext } = await stateOf((await ready({ release: "next" })).connection, TYPE);
  expect(images.length).toBeGreaterThan(10);
  expect(images[0]).toMatchObject({
    id: expect.stringMatching(/^sha256:/) as string,
    registry: expect.stringMatching(/./) as string,
    repository: expect.stringMatching(/./) as string,
    tag: expect.stringMatching(/./) as string,
  });
  if (WITHOUT_TIMES.includes(release)) {
    expect(images.flatMap(({ layer_times: times }) => times)).toEqual([]);
  } else {
    // From `binaries` in one, from `applications` in the other.
    expect(images).toEqual(inNext);
    expect(images[0]?.layer_times).toContainEqual({
      name: expect.any(String) as string,
      path: expect.stringMatching(/^\//) as string,
      layer_time: expect.any(Number) as number,
    });
  }
});

test("reads a page", async () => {
  const { connection } = await ready();
  const all = imagesOf(await stateOf(connection, TYPE));
  const page = imagesOf(await stateOf(connection, TYPE, { offset: 1, limit: 2 }));
  expect(page).toEqual(all.slice(1, 3));
});
