/** The service of the protocol, whose calls are those of `handlers`. */
export const PROVIDER_SERVICE = "tfplugin6.Provider";
