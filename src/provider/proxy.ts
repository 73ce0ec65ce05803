/** Proxies with bounds, for the rooms that may not import `api`. */
export {
  ProxyFailure,
  proxyOf,
  proxyVariables,
  tunnelFactories,
  type ProxyVariables,
} from "../api/http/proxy";
export { NothingSent } from "../api/http/transport";
