/**
 * The variable in which the installed provider gets NODE_EXTRA_CA_CERTS. Node reads that file at
 * every start, which takes longer than the rest of a start for the authorities of a whole system, and
 * Terraform starts a provider several times. The client reads it for a console that needs it.
 */
export const EXTRA_CA_VARIABLE = "CDKTF_CONSOLE_EXTRA_CA_CERTS";
