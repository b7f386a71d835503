/** A kind of data that a class keeps about people: the one list from which the page for students, docs/privacy.md and the download of one's own data are made. */
export interface KeptKind {
  readonly what: string
  readonly why: string
  readonly seen: string
  readonly until: string
}

/** The kinds of which the class knows whose data they are; each is a file of the download. */
export const ownKinds = {
  entry: {
    what: 'name, e-mail address, numbers of the school, section, wish for a pseudonym',
    why: 'to know who is in the class, and for grades',
    seen: 'educators; assistants and your class see the name',
    until: 'you are erased',
  },
  account: {
    what: 'hash of your password or code, sessions with address and browser',
    why: 'so that nobody else acts as you',
    seen: 'you: My account',
    until: "you leave, or the session ends; an update's copy keeps the hash up to 30 days more",
  },
  teams: {
    what: 'your teams, and since when; the name that a team under a pseudonym gave itself',
    why: 'deadlines, attempts and cases are those of a team',
    seen: 'the class; the own name beside a pseudonym: the team and staff',
    until: 'your name goes when you are erased',
  },
  handIns: {
    what: 'files that you handed in, with time, verdict, receipt and note',
    why: 'they play, and prove what was handed in when',
    seen: "your team, staff; sources become public by the class's rule",
    until: 'the class is deleted; your notes and the names of your files go when you are erased',
  },
  deadlines: {
    what: 'late days and extensions, with reasons',
    why: 'fair deadlines',
    seen: 'staff; nobody repeats a reason',
    until: 'your reasons go when you are erased; those of extensions of a team stay until the class is deleted',
  },
  grades: {
    what: 'grades: by hand with a reason, and as they were released with their explanations',
    why: 'to tell you your grade, and why',
    seen: 'staff; you, once they are released',
    until: 'you are erased',
  },
  practice: {
    what: 'practice matches that you began',
    why: 'to show them to your team, and to count them',
    seen: 'your team, staff',
    until: 'the class is deleted; the match itself: 20 newer ones of the team',
  },
  hearings: {
    what: 'complaints, statements and votes',
    why: 'so that anybody can check a hearing',
    seen: 'the class, under pseudonyms in records',
    until: 'the class is deleted',
  },
  dossiers: {
    what: 'dossiers of evidence of yours or of your team, with notes',
    why: 'to prepare a complaint or an answer',
    seen: 'the team, and those with whom it shares them',
    until: 'the team removes them',
  },
  log: {
    what: 'who changed what (audit log), by an id instead of a name; the network address of each joining and sign-in, failed ones too',
    why: 'to find mistakes and misuse',
    seen: 'educators',
    until: '214 days, also after you are erased',
  },
  networks: {
    what: 'networks from which you signed in, and failures',
    why: 'to slow down who guesses passwords',
    seen: 'nobody',
    until: '60 days, failures a day; or you are erased',
  },
} as const satisfies Readonly<Record<string, KeptKind>>
export type OwnKind = keyof typeof ownKinds

/** The kinds of which the class does not know whose data they are. */
export const otherKinds: readonly KeptKind[] = [
  {
    what: 'comments, with the name that their writer typed',
    why: 'to discuss a match',
    seen: 'people who see the match',
    until: 'staff deletes them',
  },
  {
    what: 'matches, standings',
    why: 'results anybody can verify',
    seen: 'everybody, under the names of agents',
    until: 'the class is deleted',
  },
]

/** All kinds, in the order of the pages. */
export const keptKinds: readonly KeptKind[] = [...Object.values(ownKinds), ...otherKinds]
