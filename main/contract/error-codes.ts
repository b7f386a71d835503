/**
 * The codes of errors: of ExpectedError, MachineError, wrong command lines and refused calls. A code names one kind of refusal for
 * programs and tests and never changes; the sentence that comes with it is for people and may. The window gets it as the `reason` of a
 * failed call, the command line prints it with --json.
 */
export const errorCodes = [
  // Requests
  /** An option or a field of a request has a value that is not allowed; the sentence names it. */
  'input-invalid',
  /** A number is outside of the range of its option. */
  'option-out-of-range',
  /** An option is needed, or needs a value. */
  'option-missing',
  /** The option is unknown to the command. */
  'option-unknown',
  /** The command needs an argument. */
  'argument-missing',
  /** The command takes fewer arguments. */
  'argument-unexpected',
  /** These options exclude each other. */
  'options-conflict',
  /** The command is unknown. */
  'command-unknown',
  /** The command line names no command, or only a group of commands. */
  'command-missing',
  /** The procedure or the topic is unknown. */
  'procedure-unknown',
  /** The caller has not signed in, or lacks the right. */
  'sign-in-needed',
  /** Tartaglia does not do this; the sentence says what does. */
  'not-supported',
  /** A maximum number of things has been reached. */
  'limit-reached',
  /** Reading a text took more memory or time than it may; the sentence says which. */
  'reading-limit',
  /** A query of the events of a contest is not one SELECT that can be answered, or a search has no words; the sentence has the reason. */
  'query-invalid',
  /** A query of the events of a contest tried to do more than read its tables. */
  'query-forbidden',
  /** A query took more time or memory than it may. */
  'query-limit',
  /** No match of the contest has been played. */
  'contest-not-begun',
  /** There is no ready question of this name. */
  'question-unknown',
  /** Work of the same kind must end first. */
  'busy',
  /** Agents of a recorded match that are run again took more time than they may. */
  'rerun-limit',
  /** A person stopped the operation. */
  'stopped',
  /** A step of the sample term took longer than any step may; it was given up, and nothing was made. */
  'step-stopped',
  /** It must not begin before a given time. */
  'too-early',
  /** Somebody else deleted it in the meantime. */
  'deleted-elsewhere',
  /** Somebody else changed it in the meantime. */
  'changed-elsewhere',
  /** An error of the program itself. */
  'internal-error',

  // Files
  /** A path leads to nothing, or to something of another kind than is needed, or is too long. */
  'path-unusable',
  /** A file or folder is missing or cannot be read. */
  'file-unreadable',
  /** A file or folder is there and is not replaced. */
  'file-exists',
  /** A file was moved or deleted while it was used. */
  'file-gone',
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
  /** The folder for backups leads into the folder that they protect. */
  'backup-inside',
  /** A file that Tartaglia stored is missing or was changed. */
  'stored-file-damaged',
  /** A file that came with Tartaglia was changed. */
  'installation-damaged',

  // This machine
  /** The disk or a quota is full. */
  'disk-full',
  /** The system forbids it, or the file system is read-only. */
  'access-denied',
  /** The limit of open files is reached, or too low. */
  'too-many-open-files',
  /** The system reported another error. */
  'system-error',

  // The class
  /** Another process uses the data folder. */
  'data-folder-in-use',
  /** The file system of the data folder has no locks. */
  'data-folder-not-lockable',
  /** The signing key of the class is missing or damaged. */
  'signing-key-damaged',
  /** The data folder does not exist. */
  'data-folder-unknown',
  /** A data folder is not a folder. */
  'data-folder-invalid',
  /** The data folder was written by a newer version of Tartaglia. */
  'data-folder-newer',
  /** The class is open to look at, and nothing can be changed. */
  'read-only',
  /** The classroom is being closed. */
  'classroom-closed',
  /** No running program serves the classroom to browsers. */
  'classroom-not-served',
  /** The program shows one class and opens no other. */
  'one-class-only',
  /** The class is open in this window. */
  'class-open-already',
  /** Something new cannot have this name. */
  'name-invalid',
  /** An agent needs a name of its own; it still has that of the kit. */
  'name-missing',
  /** Another thing has this name, or one that looks the same. */
  'name-taken',
  /** Content that ships with Tartaglia can be neither changed nor deleted. */
  'built-in',
  /** A public key cannot be read. */
  'key-invalid',
  /** A public key was given twice. */
  'key-twice',
  /** The class does not trust the key of a signature. */
  'key-not-trusted',

  // People
  /** A roster cannot be imported; the details list its lines. */
  'roster-invalid',

  // Grades
  /** A scheme has problems; each stands with its line and column. */
  'scheme-invalid',
  'scheme-missing',
  /** Labels are wanted of a scheme that has no bands. */
  'scheme-without-bands',
  /** A JSON Schema that is asked for by a name that none has. */
  'schema-unknown',
  /** Grades would be computed without a contest or a case that cannot be read. */
  'grades-incomplete',
  /** A decision was made about a gradebook that another window has changed since. */
  'gradebook-changed',
  /** The gradebook could not be read again if it were written. */
  'gradebook-unfit',
  /** A grade cannot be told, because the gradebook cannot be read. */
  'gradebook-unreadable',
  /** The column of an LMS's file is read only, says who a row is about, or exists several times. */
  'grade-column-unfit',
  /** The file has no such column. */
  'grade-column-unknown',
  /** The file is not an export of an LMS. */
  'grade-file-invalid',

  /** Nobody in the class is meant. */
  'person-unknown',
  /** Several people are meant. */
  'person-ambiguous',
  /** Only a team can do this, and the student is in none. */
  'team-needed',
  /** Name and password, or name and code, do not belong together. */
  'sign-in-refused',
  /** Too many failures, or too many at the same time: later it can be tried again. */
  'too-many',
  /** A code has to be exchanged for a password. */
  'password-needed',
  /** A password is too short, too long or common. */
  'password-invalid',
  /** No class answers at the address. */
  'class-unreachable',
  /** A class shows another certificate than before. */
  'certificate-changed',
  /** The person has no other session with this id. */
  'session-unknown',
  /** No terminal waits with this code. */
  'device-unknown',
  /** The class does not accept people who join by themselves, or not with this code. */
  'join-refused',
  /** The person at this machine has no account of their own. */
  'account-missing',
  /** A role may not do this to a person with that role, or nobody may to themselves. */
  'person-protected',

  /** A team has used its attempts of the day. */
  'attempts-used',
  /** The team does not exist, or the person is not in one. */
  'team-unknown',
  /** A person is in a team already, or a team has all its members. */
  'team-refused',
  /** The receipt is unknown, or of another team. */
  'receipt-unknown',
  /** A file is not a receipt of a hand-in, or a chain of receipts. */
  'receipt-invalid',

  // Hearings
  /** The case is unknown. */
  'case-unknown',
  /** Somebody who is not one of the people of a case asks who is in its room. */
  'case-room-closed',
  /** A step of a case is refused: it is not the person's turn, or not in time; the sentence has the reason. */
  'case-step-refused',
  /** A dossier is shared with a case by somebody who is not of it, or after its vote has begun. */
  'case-sharing-refused',
  /** A complaint cannot be filed as it is; the sentence has the reason. */
  'complaint-refused',
  /** A team has no complaint left. */
  'complaints-used',
  /** Staff would take somebody off a case who judges it or may judge it: by a team, by a role, or out of the class. */
  'person-judges',
  /** A text that becomes public names somebody who appears under a pseudonym. */
  'person-named',
  /** Names of people are needed, and are locked by a passphrase. */
  'names-locked',
  /** The encrypted names of the class cannot be read. */
  'names-damaged',
  /** The names of the class are not locked, so that nobody needs to go on without them. */
  'names-not-locked',
  /** A passphrase is not that of the class. */
  'passphrase-wrong',
  /** A new passphrase is too long for the field of the window. */
  'passphrase-long',
  /** A new passphrase is too short. */
  'passphrase-short',
  /** The record of a case is damaged, so that it cannot go on. */
  'case-damaged',

  // Agents and packages
  /** The agent or the entry is unknown. */
  'agent-unknown',
  /** The version of the agent is unknown. */
  'agent-version-unknown',
  /** The agent takes part in a contest that is not over. */
  'agent-in-contest',
  /** The agent, file or match is of another game. */
  'other-game',
  /** The game is unknown. */
  'game-unknown',
  /** A file that is handed in is empty. */
  'package-empty',
  /** A file of this form is not accepted as an agent, a component or a package. */
  'package-form-unknown',
  /** A script is not text. */
  'package-not-text',
  /** A folder was given in place of a package. */
  'package-is-folder',
  /** A package lacks a file that it names. */
  'package-file-missing',
  /** A package lacks files that its form needs. */
  'submission-incomplete',
  /** Agents of this kind are not accepted here. */
  'kind-not-accepted',
  /** A package has no script. */
  'script-missing',
  /** A package has several scripts, and does not name the main one. */
  'script-ambiguous',
  /** The stored package of a program has no agent.json. */
  'manifest-missing',
  /** An agent.json has errors. */
  'manifest-invalid',
  /** An agent.json is not at the top level of its package. */
  'manifest-misplaced',
  /** Scripts cannot be bundled. */
  'not-bundled',
  /** A script imports a module that is not in its package. */
  'import-outside',
  /** The build command of a package failed. */
  'build-failed',
  /** The build command of a package leaves no agent. */
  'build-incomplete',
  /** A file is not a zip. */
  'not-a-zip',
  /** A file is not a gzip. */
  'not-a-gzip',
  /** A file in an archive, or the archive, is damaged. */
  'archive-damaged',
  /** The list of files of an archive is damaged. */
  'archive-list-damaged',
  /** An archive ends too early. */
  'archive-cut-off',
  /** An archive is encrypted. */
  'archive-encrypted',
  /** An archive uses an unknown compression method. */
  'archive-method-unknown',
  /** An archive unpacks to more than a package may hold. */
  'archive-too-large',
  /** An archive has more files than a package may hold. */
  'archive-too-many-files',
  /** An archive is compressed so well that it must be meant to fill the disk. */
  'archive-bomb',
  /** The file is not the archive of a class. */
  'archive-not-of-class',
  /** A newer version of Tartaglia wrote the archive of a class. */
  'archive-newer',
  /** The archive of a class holds something else than its list says. */
  'archive-differs',
  /** The archive of a class holds a file that belongs to no class. */
  'archive-file-unknown',
  /** The key or the recipient of an encrypted archive is not one of age. */
  'age-key-invalid',
  /** The key does not open the encrypted archive. */
  'age-key-wrong',
  /** A folder for a class holds something already. */
  'data-folder-not-empty',
  /** An archive holds a link or a device. */
  'archive-link',
  /** A path in a package leads out of it. */
  'path-leaves-package',
  /** A path in a package is absolute. */
  'path-absolute',
  /** A path occurs twice in a package. */
  'path-twice',
  /** Two paths of a package are the same file on some systems. */
  'paths-alike',
  /** A path of a package is both a file and a folder. */
  'path-file-and-folder',
  /** A path has characters that some systems do not allow. */
  'path-characters',
  /** A path is too long. */
  'path-too-long',
  /** A path is empty, or has empty, "." or padded parts. */
  'path-not-plain',
  /** A path is the name of a device on some systems. */
  'path-device-name',
  /** Only scripts can do this. */
  'not-a-script',
  /** A package cannot be bundled or built on this machine. */
  'build-unavailable',
  /** The source of an agent is not public. */
  'source-not-public',
  /** The source of an agent was not kept or cannot be shown. */
  'source-unavailable',
  /** The starter kit is unknown. */
  'kit-unavailable',
  /** The component is unknown. */
  'component-unknown',
  /** A component exports nothing. */
  'component-without-exports',
  /** A file begins with the record of components, which only Tartaglia writes. */
  'component-record',
  /** A file is not the component that its name claims. */
  'component-forged',
  /** An agent imports too many components, or too many in a chain. */
  'component-limit',
  /** Another component version has a hash that begins alike. */
  'digits-taken',
  /** The bytes of a component are published already. */
  'component-published',
  /** Entries were exported by this very class. */
  'entries-of-this-class',
  /** No entries of a school have been imported. */
  'entries-missing',
  /** An entries file does not begin with the list of its entries. */
  'entries-list-missing',
  /** The form of an entries file is not known here. */
  'entries-form-unknown',
  /** The list of an entries file is not in canonical form. */
  'entries-not-canonical',
  /** The list of an entries file was changed, or signed by another key. */
  'entries-signature-invalid',
  /** An entry was changed, or signed by another key. */
  'entry-signature-invalid',
  /** The package of an entry has another hash than was signed. */
  'entry-hash-differs',
  /** An entries file has more bytes than its entries. */
  'entries-bytes-left',
  /** An entry has the name of an agent that plays another game here. */
  'entry-of-other-game',
  /** Only its own school can do this with an entry. */
  'entry-of-other-school',

  // Challenges, dictionaries and texts
  /** The challenge is unknown. */
  'challenge-unknown',
  /** A file calls itself by another name than the one it is saved under. */
  'name-differs',
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
  /** The challenge has no section "generate". */
  'generator-missing',
  /** A formula of the challenge's generator has no value. */
  'generator-failed',
  /** The generator of the challenge takes too many steps. */
  'generator-limit',
  /** The generator of the challenge makes an instance that is not legal. */
  'generator-illegal',
  /** The generator of the challenge plants a solution that is not feasible. */
  'planted-infeasible',
  /** The generator of the challenge plants a solution without a quality. */
  'planted-unrated',
  /** The file format of a challenge is unknown. */
  'format-unsupported',
  /** The text of a setting, such as a map, is unknown. */
  'text-unknown',

  // Contests
  /** The recurring contest is unknown. */
  'recurring-unknown',
  /** The contest is unknown. */
  'contest-unknown',
  /** The settings of a game are not valid. */
  'settings-invalid',
  /** Teams do not register for this contest, or not any more. */
  'registration-closed',
  /** The agent is not the active one of its team. */
  'team-agent-inactive',
  /** A team has two agents under one policy. */
  'team-twice',
  /** The agent needs a toolchain that the contest does not offer. */
  'toolchain-not-offered',
  /** The agent is not meant for the policy of the contest. */
  'policy-not-meant',
  /** The agent has no program for a role. */
  'role-missing',
  /** The entrants of a contest are not allowed, such as their number. */
  'entrants-invalid',
  /** The entrant does not play in the contest. */
  'entrant-unknown',
  /** The educator cannot decide this about a contest: its format or its state does not allow it, or a pairing is not one. */
  'decision-refused',
  /** An agent cannot enter late once the matches that a ruling wants played again have their numbers. */
  'entry-after-replays',
  /** A contest that repeats another one went differently before a decision of the educator. */
  'repetition-differs',
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
  /** The phrase of the class was given before entries are closed. */
  'phrase-too-early',
  /** The phrase of the class was given before. */
  'phrase-given',
  /** No phrase is asked for. */
  'phrase-not-expected',
  /** A match could not be played because of a problem of this machine. */
  'match-failed',
  /** The required isolation is not accepted for this contest. */
  'isolation-refused',
  /** A toolchain that the contest offers is not on this machine, or is too old. */
  'toolchain-missing',
  /** The required isolation is not available on this machine. */
  'isolation-unavailable',

  // People and machines elsewhere
  /** The match of a person is over. */
  'match-over',
  /** No match of a person is being played there. */
  'match-not-played',
  /** The question is no longer open. */
  'question-closed',
  /** The game does not allow an answer. */
  'answer-refused',
  /** An address is not one, cannot be resolved, or is not of this machine. */
  'address-invalid',
  /** An address is not among those that the class allows. */
  'address-not-allowed',
  /** A port is in use or reserved. */
  'port-unavailable',
  /** A certificate or its key cannot be used. */
  'certificate-invalid',
  /** The classroom is open to the network already. */
  'network-open',
  /** The game cannot be played over the network, or not by this protocol. */
  'network-unsupported',
  /** The contest has no network agents, so it needs no arena. */
  'arena-not-needed',
  /** The arena of a contest is not open. */
  'arena-not-open',
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
  /** The match has not ended. */
  'match-unfinished',
  /** A file is not a genuine history of a complete match. */
  'history-invalid',
  /** The histories of a contest are damaged. */
  'history-damaged',
  /** The verification of a history took more memory or time than is allowed. */
  'verification-limit',
  /** A process that read histories has failed. */
  'history-unreadable',
  /** The seat or body is not of the match. */
  'seat-unknown',
  /** The seat has fewer moves. */
  'move-unknown',

  // Dossiers
  /** The dossier is unknown, or not for the caller. */
  'dossier-unknown',
  /** A file is not a dossier. */
  'dossier-invalid',
  /** The item is not in the dossier. */
  'dossier-item-unknown',
  /** The rulebook is unknown, or lacks the rule. */
  'rule-unknown',
  /** Agents that shared a folder cannot be asked again, because histories do not record it. */
  'shared-folder-unrecorded',
  /** The agent of a match cannot be asked again. */
  'not-replayable',
] as const

export type ErrorCode = (typeof errorCodes)[number]
