export { adopt } from "./adopt";
export { doctor } from "./doctor";
export { downloadCloudDiscovery, downloadCompliance, downloadServerless } from "./download";
export { scan } from "./scan";
export { upgrade } from "./upgrade";
