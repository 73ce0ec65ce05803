import { LicenseRequiredError, UnauthorizedError, type ConsoleError } from "../../api/errors";
import { warning, type Diagnostic } from "../../core/diagnostics";
import { printed } from "../../core/printed";

/** The reason why a console cannot be read before it is set up. */
export type BlindCause = "unreachable" | "refused" | "unlicensed";

const SUMMARY = "Console is not readable yet";

// Each cause has one summary for every collection, because warnings are grouped by their summaries.
const CAUSES: Readonly<Record<BlindCause, string>> = {
  unreachable: "it does not respond",
  refused: "it refuses the credentials",
  unlicensed: "it has no license",
};

/** Warns that a plan was made without the entries of the console. */
export function notReadableYet(what: string, reason: ConsoleError): Diagnostic {
  const cause = causeOf(reason);
  const details = {
    unreachable: reason.message,
    refused: "Either the console is not set up yet, or the credentials are wrong.",
    unlicensed: "The console has no license yet.",
  };
  return warning(
    `${SUMMARY}: ${CAUSES[cause]}`,
    printed`${details[cause]}\n\nThe apply checks for unmanaged ${what}. If it would overwrite any, it is refused and nothing is lost.`,
  );
}

function causeOf(reason: ConsoleError): BlindCause {
  if (reason instanceof UnauthorizedError) return "refused";
  return reason instanceof LicenseRequiredError ? "unlicensed" : "unreachable";
}

/** Finds the cause in a warning of `notReadableYet`, which Terraform may have printed. */
export function blindCause({ summary }: Diagnostic): BlindCause | undefined {
  const causes = ["unreachable", "refused", "unlicensed"] as const;
  return causes.find((cause) => summary === `${SUMMARY}: ${CAUSES[cause]}`);
}
