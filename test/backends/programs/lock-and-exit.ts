import { lockState } from "../../../src/backends/lock";

/** `lock-and-exit STATE`: takes the lock and ends without releasing it. */
void lockState(process.argv[2] ?? "", { operation: "test" }).then(({ lock }) =>
  process.exit(lock ? 0 : 1),
);
