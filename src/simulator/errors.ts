/** An error that prevents a simulator from starting. The message names the cause. */
export class SimulatorError extends Error {
  override readonly name = "SimulatorError";

  constructor(
    readonly code:
      "port-in-use" | "bad-port" | "bad-option" | "bad-fault" | "bad-certificate" | "bad-data",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
