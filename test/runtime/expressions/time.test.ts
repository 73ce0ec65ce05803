import { faultsOf } from "./scope";

test("timeadd refuses a time that a date cannot hold", async () => {
  const [fault] = await faultsOf('${timeadd("2020-01-01T00:00:00Z", "9999999999h")}');
  expect(fault).toContain('Call to function "timeadd" failed: the time is out of range.');
});
