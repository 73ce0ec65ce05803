/**
 * Why a simulator could not start. The message is one for users: it says what is wrong with what
 * was asked for and what to do about it.
 */
export class SimulatorError extends Error {
  override readonly name = "SimulatorError";

  constructor(
    readonly code: "port-in-use" | "bad-option" | "bad-fault" | "bad-certificate" | "bad-data",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
