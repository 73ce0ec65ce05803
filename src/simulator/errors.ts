/** An error that prevents a simulator from starting. The message says how to correct it. */
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
