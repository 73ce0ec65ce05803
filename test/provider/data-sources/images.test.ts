import { RELEASES, type Release } from "../../../src/api/release";
import type { ObjectValue } from "../../../src/core/values";
import { ready } from "../support/consoles";
import { answering, objectsIn, stateOf } from "./read";

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

test("reads reports without lists, and entries of lists without members", async () => {
  const reports = [
    { _id: "sha256:a" },
    { _id: "sha256:b", repoTag: null, binaries: null, applications: null },
    { id: "sha256:c", binaries: [{ layerTime: 5 }, { name: "go", path: "/bin/go" }] },
    {
      _id: "sha256:d",
      repoTag: { registry: "registry.example.com", repo: "web", tag: "1" },
      applications: [{ name: "go", layerTime: null }],
      binaries: [{ name: "web", path: "/web", layerTime: 7 }],
    },
  ];
  const connection = answering({ "/api/v1/images": JSON.stringify(reports) });
  const names = { registry: null, repository: null, tag: null };
  expect(imagesOf(await stateOf(connection, TYPE))).toEqual([
    { id: "sha256:a", ...names, layer_times: [] },
    { id: "sha256:b", ...names, layer_times: [] },
    { id: "sha256:c", ...names, layer_times: [{ name: null, path: null, layer_time: 5 }] },
    {
      id: "sha256:d",
      registry: "registry.example.com",
      repository: "web",
      tag: "1",
      layer_times: [{ name: "web", path: "/web", layer_time: 7 }],
    },
  ]);
});
