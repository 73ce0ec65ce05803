/** The cost of a stored password in scrypt: 128 MiB, and some tenths of a second a guess. */
export const SEAL_COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 192 * 2 ** 20 };
