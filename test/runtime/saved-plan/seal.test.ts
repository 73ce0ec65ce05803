import { fits, sealValue } from "../../../src/runtime/saved-plan/save";

test("a seal matches its value and no other, and does not reveal it", async () => {
  const secret = "hunter2";
  const seal = await sealValue(secret);
  expect(JSON.stringify(seal)).not.toContain(secret);
  expect(await fits(secret, seal)).toBe(true);
  expect(await fits("hunter3", seal)).toBe(false);
  // Of the same value with another salt: another one.
  const salt = Buffer.from("another salt").toString("base64");
  expect(await fits(secret, { ...seal, salt })).toBe(false);
});
