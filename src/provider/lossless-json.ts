/** Lossless JSON, for the rooms that may not import `api`. */
export {
  compareDigits,
  duplicateMember,
  faultOffset,
  isExactNumber,
  LosslessNumber,
  parseJson,
  type ExactNumber,
} from "../api/json";
