/**
 * The codes of ExpectedError. A code names one kind of refusal for programs and tests and never changes; the sentence that comes with it
 * is for people and may. The window gets it as the `reason` of a failed call, the command line prints it with --json.
 */
export const errorCodes = [
  // Requests
  /** An option or a field of a request has a value that is not allowed; the sentence names it. */
  'input-invalid',
  /** A number is outside of the range of its option. */
  'option-out-of-range',
  /** An option is needed, or needs a value. */
  'option-missing',
  /** These options exclude each other. */
  'options-conflict',
  /** There is no such command. */
  'command-unknown',
  /** Tartaglia does not do this; the sentence says what does. */
  'not-supported',
  /** A maximum number of things has been reached. */
  'limit-reached',
  /** Work of the same kind must end first. */
  'busy',
  /** A person stopped the operation. */
  'stopped',
  /** It must not begin before a given time. */
  'too-early',
  /** Somebody else changed or deleted it in the meantime. */
  'changed-elsewhere',

  // Files
  /** A file or folder is missing or cannot be read. */
  'file-unreadable',
  /** A file or folder is there and is not replaced. */
  'file-exists',
  /** A file changed while it was used. */
  'file-changed',
  /** An uploaded or opened file is no longer kept. */
  'file-not-open',
  /** A file or the sum of some is larger than its maximum. */
  'too-large',
  /** An upload broke off. */
  'upload-incomplete',
  /** A text is not UTF-8. */
  'not-utf8',
  /** A file is not JSON, or not of the expected form. */
  'json-invalid',
  /** A file of a game, such as a map or a log, is not one. */
  'file-invalid',
  /** A file that Tartaglia stored is missing or was changed. */
  'stored-file-damaged',
  /** A file that came with Tartaglia was changed. */
  'installation-damaged',

  // The class
  /** There is no such data folder. */
  'data-folder-unknown',
  /** The data folder was written by a newer version of Tartaglia. */
  'data-folder-newer',
  /** The classroom is being closed. */
  'classroom-closed',
  /** Another thing has this name, or one that looks the same. */
  'name-taken',
  /** Content that ships with Tartaglia can be neither changed nor deleted. */
  'built-in',
  /** A public key cannot be read, or was given twice. */
  'key-invalid',
  /** The class does not trust the key of a signature. */
  'key-not-trusted',

  // Agents and packages
  /** There is no such agent or entry. */
  'agent-unknown',
  /** The agent has no such version. */
  'agent-version-unknown',
  /** The agent takes part in a contest that is not over. */
  'agent-in-contest',
  /** The agent, file or match is of another game. */
  'other-game',
  /** There is no such game. */
  'game-unknown',
  /** A file is not accepted as an agent, a component or a package. */
  'package-refused',
  /** Only scripts can do this. */
  'not-a-script',
  /** A package cannot be bundled or built on this machine. */
  'build-unavailable',
  /** The source of an agent is not public. */
  'source-not-public',
  /** The source of an agent was not kept or cannot be shown. */
  'source-unavailable',
  /** There is no such starter kit. */
  'kit-unavailable',
  /** There is no such component. */
  'component-unknown',
  /** The bytes of a component are published already. */
  'component-published',
  /** Entries cannot be imported or exported. */
  'entries-refused',
  /** Only its own school can do this with an entry. */
  'entry-of-other-school',

  // Challenges, dictionaries and texts
  /** There is no such challenge. */
  'challenge-unknown',
  /** A challenge has errors. */
  'challenge-invalid',
  /** A class dictionary has errors. */
  'dictionary-invalid',
  /** The values of a class cannot be parsed, sampled or converted. */
  'value-class-unsuitable',
  /** A value does not belong to its class, or is not legal. */
  'value-invalid',
  /** A measure, a sample or a solution cannot be computed. */
  'evaluation-failed',
  /** There is no such file format for a challenge. */
  'format-unsupported',
  /** There is no such text for a setting, such as a map. */
  'text-unknown',

  // Contests
  /** There is no such contest, or recurring contest. */
  'contest-unknown',
  /** The settings of a game are not valid. */
  'settings-invalid',
  /** The entrants of a contest are not allowed: their names, number, teams, roles or policies. */
  'entrants-invalid',
  /** There is no such entrant in the contest. */
  'entrant-unknown',
  /** The format of a contest has no schedule for it. */
  'schedule-invalid',
  /** The contest is running, or has been started. */
  'contest-running',
  /** The contest is not running. */
  'contest-not-running',
  /** The contest has ended or was cancelled. */
  'contest-over',
  /** Another contest continues or repeats a contest. */
  'contest-needed',
  /** A contest was rebuilt from its histories, which do not hold its seed. */
  'seed-lost',
  /** The contest has not ended. */
  'contest-not-over',
  /** The contest has a next phase already. */
  'next-phase-exists',
  /** Such a contest cannot begin by itself. */
  'recurring-unsupported',
  /** A person plays in the contest. */
  'plays-in-window',
  /** The phrase of the class has to be given first. */
  'phrase-missing',
  /** No phrase is asked for, or none yet, or it was given. */
  'phrase-not-expected',
  /** A match could not be played because of a problem of this machine. */
  'match-failed',
  /** The required isolation is not accepted for this contest. */
  'isolation-refused',
  /** The required isolation is not available on this machine. */
  'isolation-unavailable',

  // People and machines elsewhere
  /** The match of a person is over, or is not being played here. */
  'match-over',
  /** The game does not allow an answer, or its question is no longer open. */
  'answer-refused',
  /** An address is not one, cannot be resolved, or is not of this machine. */
  'address-invalid',
  /** An address is not among those that the class allows. */
  'address-not-allowed',
  /** A port is in use or reserved. */
  'port-unavailable',
  /** The game cannot be played over the network, or not by this protocol. */
  'network-unsupported',
  /** A contest with network agents needs an arena. */
  'arena-missing',
  /** The arena refused an agent. */
  'arena-refused',
  /** The connection to the arena has ended. */
  'arena-lost',
  /** The credentials of an arena cannot be shown any more, or not yet. */
  'credentials-unavailable',
  /** Not everybody signed in in time. */
  'sign-in-timeout',
  /** A cluster cannot play this contest. */
  'cluster-unsupported',
  /** No worker of the cluster has taken a match. */
  'no-cluster-worker',
  /** A token of a cluster could be guessed. */
  'token-weak',
  /** There is no Redis at the address. */
  'redis-unavailable',
  /** Another version of the rules is needed. */
  'rules-version-differs',

  // Histories
  /** There is no history of such a match. */
  'match-unknown',
  /** A file is not a genuine history of a complete match. */
  'history-invalid',
  /** The histories of a contest are damaged. */
  'history-damaged',
  /** A process that read histories has failed. */
  'history-unreadable',
  /** The match has no such seat or body. */
  'seat-unknown',
  /** The agent of a match cannot be asked again. */
  'not-replayable',
] as const

export type ErrorCode = (typeof errorCodes)[number]
