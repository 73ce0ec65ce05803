/** Lossless JSON, for the rooms that may not import `api`. */
export { faultOffset, isExactNumber, parseJson, type ExactNumber } from "../api/json";
