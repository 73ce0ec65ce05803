import { describeWithMoto, Moto } from "../object-stores/moto";
import { expectMovedInSpiteOfKills } from "./support/killed-migration";
import { s3Place } from "./support/state-places";

jest.setTimeout(600_000);

describeWithMoto("states of 100 stacks that move to S3 and back", () => {
  let moto: Moto;
  beforeAll(async () => {
    moto = await Moto.open();
  });
  afterAll(() => moto.close());

  test("are in exactly one place, and equal, after ten kills", async () => {
    const kept = (name: string) => moto.text(`${name}.moved-1`);
    const moves = { stacks: 100, kills: 5, step: 11, kept };
    await expectMovedInSpiteOfKills(s3Place(moto), moto.relay, moves);
    expect((await moto.keys()).filter((key) => key.endsWith(".tflock"))).toEqual([]);
  });
});
