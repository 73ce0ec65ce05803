/** The test of each promise: its file, and its name or the part of it that the file has. */
export const TESTS: Readonly<
  Record<string, Readonly<Record<string, readonly [file: string, name: string]>>>
> = {
  "docs/reliability.md": {
    "Nothing is sent to a console before everything was read, evaluated and validated.": [
      "test/e2e/invariants-plan.test.ts",
      "no request is sent before everything was read and validated",
    ],
    "A plan writes nothing.": ["test/e2e/invariants-plan.test.ts", "a plan writes nothing"],
    "An apply executes the plan that was shown, or refuses: it plans again before the first write, and compares collections by digest.":
      ["test/e2e/invariants-plan.test.ts", "an apply executes the plan or refuses"],
    "After an apply, the console has what the plan showed, or nothing was written: with each engine, `lifecycle`, drift and ownership.":
      ["test/conformance/planned/planned.test.ts", "for pairs of two settings"],
    "A second plan is empty. Defaults, orders and timestamps of the server are not compared.": [
      "test/e2e/invariants-convergence.test.ts",
      "a second plan is empty",
    ],
    "A collection is written with its unmanaged entries. It is read again before the write, and read back after it.":
      ["test/provider/collections/ownership.test.ts", "keeps unmanaged items in their order"],
    "Members that this program does not know survive, and numbers keep their digits.": [
      "test/provider/collections/unknown-members.test.ts",
      "exclusive: restores unknown members",
    ],
    "Two runs that write one collection lose nothing, or report it: the read-back finds a loss, and one bounded retry repairs it.":
      [
        "test/provider/collections/concurrent-writers.test.ts",
        "two writers at once lose nothing where answers are slow",
      ],
    "Objects of a state are only compared with their own console, and only written to that one.": [
      "test/cli/moved-console.test.ts",
      "refuses two stacks whose consoles are swapped, and changes nothing",
    ],
    "A destroy restores what the first write found, or refuses.": [
      "test/provider/resources/compliance-policy-set/destroy.test.ts",
      "is refused where the snapshot is",
    ],
    "A kill at any moment loses nothing: each result is durable before its dependents start.": [
      "test/e2e/invariants-kill.test.ts",
      "loses nothing when an apply is killed at any request",
    ],
    "A kill of Terraform loses nothing either: before the first write, a checkpoint has the content that the write replaces.":
      ["test/e2e/kill-every-request.test.ts", "restores after a kill at any request"],
    "A checkpoint that does not match the console is kept, named and not used.": [
      "test/provider/collections/checkpoint.test.ts",
      "is kept and named where the console has something else",
    ],
    "The result of a killed run is never restored as the original content.": [
      "test/e2e/kill-every-request.test.ts",
      "a destroy without the checkpoint is refused",
    ],
    "If no checkpoint can be stored, nothing is written.": [
      "test/provider/collections/checkpoint.test.ts",
      "stops the first write if it cannot be written",
    ],
    "A run over many stacks that is killed again and again can be resumed.": [
      "test/e2e/fleet-kill.test.ts",
      "a run that is killed and resumed again and again ends as an undisturbed one",
    ],
    "If a tenant fails, the others are still applied. A resumed run does not touch the tenants that are done.":
      [
        "test/e2e/fleet-mixed.test.ts",
        "exactly the dead and the wrong tenants fail, and the others are applied",
      ],
    "At most one stack more than `--max-failures` fails after it changed something; the others are not started.":
      ["test/e2e/fleet-failures.test.ts", "of tenants that all fail, only four are changed"],
    "A rollback restores consoles and states, or refuses the tenant by its name.": [
      "test/e2e/rollback.test.ts",
      "random waves with faults go back",
    ],
    "A rollback of a resumed run keeps the entries that others have added to a shared list in between.":
      [
        "test/cli/rollback.test.ts",
        "keeps what somebody added between a run and the one that resumed it",
      ],
    "A rollback also restores a run that was killed at any request. A killed rollback can be repeated.":
      ["test/e2e/rollback-kill.test.ts", "after a kill at every request of the run"],
    "A run records each change on disk before it makes the change. A change that cannot be recorded is not made.":
      [
        "test/provider/collections/unrecorded-writes.test.ts",
        "writes nothing that cannot be recorded",
      ],
    "A record that was cut or changed is never taken for a complete one: each line has the digest of the lines before it, and the state has the digest of the last line. A rollback uses what is proved, and refuses the other stacks by name.":
      [
        "test/cli/whole-records.test.ts",
        "a record that is cut behind any line is taken as far as it is proved",
      ],
    "A run over many machines records each change next to the state of the stack before it makes the change, even after a worker was killed. Its rollback refuses a stack whose record is cut or missing.":
      [
        "test/temporal/lost-workers.test.ts",
        "is rolled back by workers, without the stacks whose record is cut or missing",
      ],
    "A run log never replaces a file that is not a run log.": [
      "test/cli/whole-records.test.ts",
      "a file that is no run log is not replaced",
    ],
    "No resource changes anything before the run permits it.": [
      "test/provider/resources/permission.test.ts",
      "changes nothing that the run does not permit",
    ],
    "A kill while a journal is created does not block later runs.": [
      "test/backends/journal.test.ts",
      "replaces what is in its place, and follows no link",
    ],
    "A state file is replaced only after its journal names it, even by a run whose journal could not store all records. A kill in between neither blocks later runs nor loses a record.":
      [
        "test/backends/local-failure.test.ts",
        "a kill before its removal does not block later runs",
      ],
    "A journal has the mark of its run before any change, so that a rollback of a killed run can verify the record.":
      [
        "test/runtime/apply/record.test.ts",
        "%s is in the journal after the mark of its run, so that a kill leaves no change without it",
      ],
    "An acknowledged record is in the journal, and was synchronized to the disk.": [
      "test/backends/journal-kill.test.ts",
      "has every acknowledged record, however often the process is killed",
    ],
    "A torn or damaged journal is always detected: each line has a checksum.": [
      "test/backends/journal-format.test.ts",
      "does not pass over a damaged line",
    ],
    "A full disk loses nothing. Without a lock nothing is sent; a state that cannot be written is saved elsewhere.":
      ["test/e2e/bad-input-disk.test.ts", "sends nothing without space for a lock"],
    "A state on a server counts as stored when the server shows it: by a checksum of what it stored, by the commit of a database, or by the state that is read back. Otherwise it is saved elsewhere, and the run ends with an error.":
      ["test/backends/proved-writes.test.ts", "is not taken for stored by a server that keeps %s"],
    "A loop over the answers of a state server always ends, and pauses between requests.": [
      "test/backends/proved-writes.test.ts",
      "that is refused and not there ends the run, after pauses",
    ],
    "`force-unlock` is advised only with the ID of the run that holds the lock.": [
      "test/backends/proved-writes.test.ts",
      "force-unlock is advised with the ID of the holder only",
    ],
    "A truncated state is reported as truncated, and not used.": [
      "test/backends/proved-writes.test.ts",
      "an answer that is cut off is called truncated",
    ],
    "Runs on one state exclude each other. The lock of a dead process is taken over.": [
      "test/backends/lock.test.ts",
      "locks out a second run, and reports the holder of the lock",
    ],
    "A link, a pipe or a folder in place of a state or a lock ends in a diagnostic.": [
      "test/backends/odd-files.test.ts",
      "in the place of the state is an error",
    ],
    "Files, pipes and programs never block a run, and never fill the memory: a file of more than 256 MiB is refused, and so is a pipe that is silent for ten minutes.":
      ["test/core/io/read-file.test.ts", "refuses %s, by each way to read it"],
    "A FIFO is refused as a file to write, before the plan.": [
      "test/cli/output-files.test.ts",
      "refuses a FIFO, and does not wait for its reader",
    ],
    "Text from outside cannot control a terminal or a CI system: it is printed as one line, without control characters.":
      ["test/cli/hostile-text.test.ts", "the members of a lock"],
    "The same holds for reviews as text, Markdown and HTML, with each engine.": [
      "test/cli/hostile-reviews.test.ts",
      "of the embedded engine's plan",
    ],
    "Names such as `constructor` and `__proto__` have no special effect.": [
      "test/cli/odd-names.test.ts",
      "shows a state with an attribute %s",
    ],
    "Files are written to the paths that the user named, and never through a planted link.": [
      "test/cli/init.test.ts",
      "writes nothing through a planted link",
    ],
    "After an interrupt, the run completes and stores the operations in progress. A second interrupt cancels requests.":
      [
        "test/e2e/invariants-interruption.test.ts",
        "completes running operations, stores them, and starts no others",
      ],
    "A third interrupt always ends the process.": [
      "test/cli/process-terminal.test.ts",
      "ends a process that only works on the CPU",
    ],
    "A request that may have had an effect is not repeated, unless that is safe in this release.": [
      "test/api/client-retry.test.ts",
      "decides by release which requests are safe to replay",
    ],
    "Answers that show another release than the configured one are detected: a filter or a write that would be wrong is an error.":
      [
        "test/provider/resources/other-releases.test.ts",
        "does what %s says, or the error names the release",
      ],
    "An endless answer is refused after 128 MiB, even if it is compressed, or after five minutes. Downloads are streamed.":
      [
        "test/api/http/answer-bounds.test.ts",
        "refuses an endless answer at the bound, also of authenticate",
      ],
    "A list counts as complete only with proof: its pages overlap, and its totals and keys agree. Without this proof, nothing is written or reported as missing.":
      [
        "test/api/areas/whole-list.test.ts",
        "reads each row that is there throughout, or refuses, while rows are added and removed",
      ],
    "The result of a run does not depend on the pages in which the console answers its lists.": [
      "test/provider/resources/paged-consoles.test.ts",
      "leaves the same on a console with pages of any size",
    ],
    "A list whose pages never end is refused.": [
      "test/api/areas/whole-list.test.ts",
      "refuses a list whose pages never end",
    ],
    "An answer that is not UTF-8 is never written back.": [
      "test/provider/resources/names-and-bytes.test.ts",
      "never writes back what is not UTF-8",
    ],
    "An object whose key a path cannot carry is not created. An existing one is deleted by its encoded key.":
      ["test/provider/resources/names-and-bytes.test.ts", "refuses to create an object named"],
    "An object counts as deleted only if a complete list does not have it. If the list cannot be read, a warning says so.":
      [
        "test/provider/resources/names-and-bytes.test.ts",
        "keeps an object in the state that a 404 to its DELETE leaves on the console",
      ],
    "If a proxy opens no tunnel, the request fails within the connection timeout.": [
      "test/api/http/proxy.test.ts",
      "a proxy that opens no tunnel is named once, and within the time to connect",
    ],
    "Long strings and lists cannot block the processor.": [
      "test/language/expressions/linear-time.test.ts",
      "takes time in proportion to its input",
    ],
    "A pattern cannot block the processor: RE2 takes linear time.": [
      "test/language/expressions/regex.test.ts",
      "takes linear time",
    ],
    "Depth and size of expressions are bounded, as below.": [
      "test/language/expressions/limits.test.ts",
      "a value beyond the bounds is refused",
    ],
    "JSON of any depth is either read or refused.": [
      "test/core/json/lossless-json.test.ts",
      "reads the levels of the bound, and ignores brackets in strings",
    ],
    "Time grows in proportion to the instances of a resource.": [
      "test/runtime/plan/growth.test.ts",
      "the order of an apply has as many edges as there are instances",
    ],
    "Counts and sets of instances are bounded before instances are made.": [
      "test/runtime/plan/repetition.test.ts",
      "count: 100_001",
    ],
    "Every call of the newest plugin protocol gets an answer, at least that it is not implemented.":
      ["test/plugin/process/provider-process.test.ts", "answers every call of the newest protocol"],
    "An installed package contains all that it loads.": [
      "test/package/every-loader.ts",
      "Uses every entry point of the installed package",
    ],
    "The installed provider contains all that it loads, under Terraform 1.11, 1.15 and OpenTofu.": [
      "test/package/installed-provider.ts",
      "in each form on a console",
    ],
    "Every command of the guides runs in a folder with the packed package alone, under the engine that it names.":
      ["test/docs/guides-run.test.ts", "every command succeeds, from the first to the last"],
    "Malformed messages of Terraform's protocol are refused as such.": [
      "test/plugin/malformed-requests.test.ts",
      "refuses bytes that are no message",
    ],
    "An object with `create_before_destroy` exists until its replacement exists, even when a failed apply is repeated.":
      [
        "test/conformance/failure.test.ts",
        "creates before it destroys the old object, which stays",
      ],
    "Saved plans, their JSON, journals and states have the exact values and types of the plan.": [
      "test/runtime/saved-plan/expressions.test.ts",
      "a saved plan has the values that were planned",
    ],
    "A forged saved plan ends in a diagnostic.": [
      "test/runtime/saved-plan/file.test.ts",
      "reads no part that is nested deeply",
    ],
    "An internal error ends with exit code 1 and a report.": [
      "test/cli/process-failure.test.ts",
      "that nothing handles ends the process with 1",
    ],
    "Few files are open at once, however many stacks there are.": [
      "test/cli/open-files.test.ts",
      "opens few files at once, however many stacks there are",
    ],
    "No data from outside causes an internal error or a hang.": [
      "test/fuzz/fuzz.test.ts",
      "each mutation ends in a value or a diagnostic",
    ],
    "Sockets, file descriptors and memory do not grow.": [
      "test/e2e/long-run.test.ts",
      "neither memory nor sockets nor files grow",
    ],
  },
  "SECURITY.md": {
    "No secret is in a plan, a state, a journal, a log or an output. Secrets are ephemeral or write-only; the test searches everything that is written for canaries.":
      [
        "test/e2e/invariants-secrets.test.ts",
        "of a whole lifecycle of a console in release 20.04 with inline credentials",
      ],
    "No secret that a console repeats in an answer is shown. Known secrets and secret members are removed before a text is shortened.":
      ["test/api/http/server-message.test.ts", "are removed before the text is cut"],
    "No command prints or stores a secret that a console or a server of states repeats. Texts of servers and programs are searched for all secrets in use; the test runs every command with each engine and backend.":
      [
        "test/e2e/canary-walk.test.ts",
        "no command prints or stores a secret that the server of a %s state repeats",
      ],
    "The same holds with Terraform as the engine. Its plans and states are readable by their owner only.":
      [
        "test/e2e/canary-walk-terraform.test.ts",
        "no command prints or stores a secret that a console repeats",
      ],
    "An import stores nothing that looks like a secret, or that `write_only` of a configuration names. Names of members, private keys, tokens, and URLs with a password or a token count as secrets.":
      [
        "test/provider/resources/secrets-elsewhere.test.ts",
        "an import of a %s at %s keeps none of %j",
      ],
    "No secret is in any file or output of Terraform. The test watches the provider over a whole lifecycle.":
      ["test/plugin/terraform/secrets.test.ts", "appear in no log, plan or state"],
    "A command with a secret is not shown. A provisioner whose command is sensitive shows neither its text nor its output.":
      ["test/runtime/provisioners/local-exec.test.ts", "shows nothing of a command with a secret"],
    "A helper program that a run starts gets no secret of the run. Its environment does not contain the credentials of consoles and of servers of states, nor the variables from which ephemeral variables are read.":
      ["test/cli/rollout.test.ts", "start one after the other, with the check between them"],
    "A saved plan sends credentials only to the console that it was made for. The plan has a hash of the credentials with the address, the authorities and the TLS settings; if these differ, nothing connects.":
      ["test/cli/saved-plan-destination.test.ts", "is refused before any connection"],
    "TLS is verified. Only `insecure_skip_verify` turns it off, and each plan warns of it.": [
      "test/api/http/https.test.ts",
      "refuses an unknown authority by default with advice",
    ],
    "A literal secret is refused in attributes that are stored. The constructs and the validation check it.":
      ["test/e2e/bad-input-configuration.test.ts", "refuses secrets in attributes that are stored"],
    "States, journals and locks are readable by their owner only. They have the mode 0600, even if others could read them before.":
      ["test/backends/local.test.ts", "restricts a file that others could read to its owner"],
    "A file that is written follows no link of another user in a folder that others can write to.":
      ["test/core/io/planted-links.test.ts", "no file is %s over a planted link"],
    "Installed providers cannot be changed by others. They have the modes 0755 and 0644, regardless of the umask.":
      [
        "test/terraform-provider/installation.test.ts",
        "installs nothing that others can write to, whatever the umask",
      ],
    "Compiled code of earlier runs cannot be changed by others. It is read and kept only in a folder of this user that nobody else can write to, or replace on the way to it.":
      [
        "test/core/io/compiled-code.test.ts",
        "uses no compiled code from a folder on the way to which others can replace one",
      ],
    "The provider serves the Terraform that started it, and nobody else. They use mutual TLS over a socket in a folder of mode 0700.":
      [
        "test/plugin/process/provider-process.test.ts",
        "refuses clients without the certificate of Terraform",
      ],
    "The simulator listens on the loopback interface only. Other addresses are refused.": [
      "test/simulator/server.test.ts",
      "refuses to start with",
    ],
    "A checkpoint is readable by its owner only, has no inline credential, and is not read from a folder that every user can write to. It has the mode 0600, in a folder of mode 0700; credentials are removed.":
      [
        "test/provider/collections/checkpoint.test.ts",
        "is there before the write, for its user only, and has no credential",
      ],
    "The simulator's data folder follows no planted link. Files have random names and the mode 0600, and are created exclusively.":
      ["test/simulator/persistence.test.ts", "follows no link that somebody planted in the folder"],
    "What is shown cannot imitate other output. Control characters are escaped, and values stay in their quotes.":
      [
        "test/review/hostile-values.test.ts",
        "keeps a name that imitates lines of a plan inside its quotes",
      ],
    "Each dependency has a licence that allows its use, and none runs a script at installation. The test checks the bill of materials of npm, package by package.":
      ["test/licences.test.ts", "has a licence that allows its use"],
  },
};
