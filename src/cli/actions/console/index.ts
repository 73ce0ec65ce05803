export { adopt } from "./adopt";
export { downloadCloudDiscovery, downloadCompliance, downloadServerless } from "./download";
export { scan } from "./scan";
export { upgrade } from "./upgrade";
