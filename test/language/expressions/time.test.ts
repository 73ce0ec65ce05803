import { faultsOf } from "./scope";

test("timeadd refuses a duration of more than 64 bits of nanoseconds", async () => {
  const [fault] = await faultsOf('${timeadd("2020-01-01T00:00:00Z", "9999999999h")}');
  expect(fault).toContain(
    'Invalid value for "duration" parameter of "timeadd": the duration is out of range.',
  );
});
