/** What the commands do that work on the environment's console, in one file of the bundle. */
export { adopt } from "./adopt";
export { downloadCloudDiscovery, downloadCompliance, downloadServerless } from "./download";
export { scan } from "./scan";
