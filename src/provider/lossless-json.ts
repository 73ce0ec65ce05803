/** Lossless JSON, for the rooms that may not import `api`. */
export {
  compareDigits,
  duplicateMember,
  faultOffset,
  isExactNumber,
  isNestedDeeper,
  JSON_DEPTH,
  LosslessNumber,
  parseJson,
  type ExactNumber,
} from "../api/json";
