/** A section of the specification that describes changes of a release. */
export interface Section {
  /** The name of the rule in reports; stable. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** The sections that findings refer to. */
export const SECTIONS: Readonly<Record<string, Section>> = {
  "9.1.1": {
    name: "defender-install-method",
    title: "Downloads of defender installation files take POST",
    description:
      "The four endpoints that return defender installation files take GET up to release 20.04, and POST in 20.09 and later.",
  },
  "9.1.2": {
    name: "inline-credentials",
    title: "Settings refer to credentials by ID only",
    description:
      "In release 20.09 and later, registry and serverless scan settings refer to stored credentials by ID. The console refuses inline credentials in requests, and returns them empty in answers.",
  },
  "9.1.3": {
    name: "auto-deploy-path",
    title: "Serverless auto-protect is renamed to auto-deploy",
    description:
      "Release 20.09 renames the endpoints of serverless auto-protect: its settings and its status have new paths.",
  },
  "9.2": {
    name: "deprecated",
    title: "Deprecated in release 20.09",
    description:
      "Release 20.09 deprecates endpoints of network firewall policies, host models, high availability, radar and others. They still answer; the upgrade deletes the rules of network firewall policies.",
  },
  "9.3.1": {
    name: "compliance-statistics",
    title: "Compliance statistics return new data",
    description:
      "In the release after 20.12, stats/compliance returns rates, a trend and a list of all checks. The previous data is removed.",
  },
  "9.3.3": {
    name: "serverless-scan-scope",
    title: "Serverless scan scopes are set per account; PUT replaces them",
    description:
      "In the release after 20.12, a serverless scan scope has no region and no pattern, and takes several credential IDs. PUT replaces all scopes; POST, which replaced them before, adds one.",
  },
  "9.3.4": {
    name: "custom-rules-path",
    title: "Custom rules have a new path",
    description:
      "In the release after 20.12, the path policies/runtime/custom-rules becomes custom-rules.",
  },
  "9.3.5": {
    name: "scanner-report",
    title: "Image scanner reports have a new schema",
    description:
      "In the JSON output of the image scanner of the release after 20.12, riskFactors is an array of strings, and publishedDate and discoveredDate replace publishedDays and discoveredDays.",
  },
  "9.3.6": {
    name: "defended",
    title: "Protected becomes defended",
    description:
      "The release after 20.12 renames protected to defended in query parameters, members of answers and CSV columns of the serverless, cloud discovery and auto-deploy endpoints.",
  },
  "9.3.7": {
    name: "layer-time",
    title: "The layer time of binaries is deprecated",
    description:
      "The release after 20.12 deprecates binaries[].layerTime in image scan reports; applications[].layerTime is the equivalent.",
  },
  "9": {
    name: "other-release",
    title: "Belongs to another release",
    description:
      "The configuration or the call belongs to a release other than the one of the upgrade.",
  },
};
