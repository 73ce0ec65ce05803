export { providerInstall } from "./install";
export { providerSchema } from "./schema";
export { providerServe } from "./serve";
