/**
 * The embedded console: the console's API of one release, with state, in process or on a port of
 * this machine.
 *
 *     const simulator = await startSimulator({ signedUp: { username: "admin", password } });
 *     const [{ url, console }] = simulator.consoles;
 *     // … talk to `url`, trusting `simulator.ca`; look into `console` …
 *     await simulator.close();
 */
export { CertificateAuthority, type KeyedCertificate } from "./certificates";
export { ManualClock, systemClock, type SimulatedClock as Clock } from "./clock";
export { SimulatedConsole as Console, type Edit } from "./console";
export type { ConsoleOptions } from "./console-options";
export { SimulatorError } from "./errors";
export { parseFault } from "./fault-spec";
export { FaultSchedule, type Fault, type FaultOutcome } from "./faults";
export { transportTo } from "./in-process";
export type {
  ClientCertificate,
  ConsoleRequest,
  SimulatedResponse as ConsoleResponse,
  LoggedRequest,
} from "./messages";
export {
  startSimulator,
  type ServedConsole,
  type Simulator,
  type SimulatorOptions,
} from "./simulator";
