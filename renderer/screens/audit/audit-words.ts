import type { Json } from '../../../main/contract/json.ts'

/** The deed of a person, as the predicate of a sentence about them. */
const deeds: Readonly<Record<string, string>> = {
  'agents.adopt': 'added the agents that ship',
  'agents.practise': 'began a practice',
  'agents.remove': 'removed an agent',
  'agents.rename': 'renamed an agent',
  'agents.stop': 'stopped a trial match',
  'agents.submit': 'handed in an agent for the class',
  'agents.try': 'repeated a trial match',
  'audit.prune': 'Old lines were removed',
  'cases.act': 'took a step in a case',
  'cases.file': 'filed a case',
  'challenges.delete': 'deleted a challenge',
  'challenges.save': 'saved a challenge',
  'classes.export': 'exported the class',
  'classes.newTerm': 'made a new term from the class',
  'components.publish': 'published a component',
  'components.withdraw': 'withdrew a component',
  'contests.archive': 'archived a contest',
  'contests.cancel': 'cancelled a contest',
  'contests.closeEntries': 'closed the entries of a contest',
  'contests.create': 'added a contest',
  'contests.credentials': 'saw the credentials of an arena',
  'contests.decide': 'decided about an entrant',
  'contests.delete': 'deleted a contest',
  'contests.duplicate': 'repeated a contest',
  'contests.finish': 'let a contest finish its matches',
  'contests.nextPhase': 'added the next phase of a contest',
  'contests.pause': 'paused a contest',
  'contests.rerun': 'ran a contest again',
  'contests.start': 'started a contest',
  'deadlines.extend': 'gave more time',
  'grades.release': 'released the grades',
  'grades.setManual': 'gave a grade by hand',
  'grades.setScheme': 'changed the scheme of grades',
  'deadlines.set': 'set a deadline',
  'dossiers.addRule': 'put a rule into a dossier',
  'dossiers.download': 'downloaded a dossier',
  'dossiers.drop': 'removed something from a dossier',
  'dossiers.keep': 'kept an event as evidence',
  'dossiers.make': 'began a dossier',
  'dossiers.note': 'wrote a note in a dossier',
  'dossiers.remove': 'deleted a dossier',
  'dossiers.rename': 'renamed a dossier',
  'dossiers.rerun': 'asked an agent again for a dossier',
  'home.stopRerun': 'stopped an agent that was asked again',
  'dossiers.share': 'chose who may read a dossier',
  'dossiers.verify': 'verified a match for a dossier',
  'entries.export': 'exported entries',
  'entries.import': 'imported entries',
  'guests.admit': 'made a link for guests',
  'guests.end': 'ended the link for guests',
  'handIn.giveBack': 'gave an attempt back',
  'handIn.note': 'changed the note on a version',
  'handIn.pause': 'paused a version, or let it play again',
  'handIn.setRules': 'changed the rules for handing in',
  'handIn.submit': 'handed in',
  'handIn.withdraw': 'withdrew a version',
  'histories.comment': 'commented on a match',
  'histories.deleteComment': 'deleted a comment',
  join: 'asked to join the class',
  'me.confirmDevice': 'signed a terminal in',
  'me.endOthers': 'ended their other sessions',
  'me.endSession': 'ended one of their sessions',
  'me.password': 'changed their password',
  'me.pseudonym': 'chose whether they appear under a pseudonym',
  'names.setPassphrase': 'set or removed the passphrase of the names',
  'names.forget': 'went on without the encrypted names',
  'names.unlock': 'unlocked the names',
  'names.unlock.refused': 'gave a wrong passphrase',
  'network.close': 'closed the class to the network',
  'network.open': 'opened the class to the network',
  'people.admit': 'admitted somebody',
  'people.change': 'changed a person',
  'people.code': 'made a one-time code',
  'people.import': 'imported a roster',
  'people.joining': 'opened or ended the class code',
  'people.remove': 'removed a person',
  'people.erase': 'erased the personal data of a person',
  'play.begin': 'began to play',
  'play.leave': 'left a match',
  'practice.begin': 'began a practice match',
  'recurring.add': 'added a recurring contest',
  'recurring.edit': 'changed a recurring contest',
  'recurring.remove': 'removed a recurring contest',
  'recurring.repeat': 'made a contest recur',
  'recurring.run': 'began a contest of a recurring one',
  'registrations.credentials': 'got new credentials for an agent',
  'registrations.register': 'registered an agent for a contest',
  'registrations.set': 'opened or closed the registration for a contest',
  'registrations.withdraw': 'withdrew a registration',
  'screens.invite': 'made an address for a browser at this machine',
  'settings.backup': 'made a backup',
  'settings.set': 'changed settings',
  'sign-in': 'signed in',
  'sign-in.refused': 'failed to sign in',
  'sign-out': 'signed out',
  'teams.change': 'changed a team',
  'teams.form': 'formed a team',
  'teams.invite': 'made an invitation to their team',
  'teams.join': 'joined a team',
  'teams.leave': 'left their team',
  'teams.rename': 'renamed their team',
  'texts.add': 'added a text',
  'texts.delete': 'deleted a text',
}

/** A deed in words; one that a newer program has written, by its name. */
export function deedText(did: string): string {
  return Object.hasOwn(deeds, did) ? deeds[did]! : did
}

/** The kinds of deeds that can be chosen, with the first words of their names. */
export const deedKinds = {
  all: { label: 'Everything', deeds: [] },
  people: { label: 'People', deeds: ['people', 'join', 'guests'] },
  signIns: { label: 'Sign-ins and accounts', deeds: ['sign-in', 'sign-out', 'me'] },
  handIns: { label: 'Teams, hand-ins and deadlines', deeds: ['teams', 'handIn', 'deadlines', 'practice'] },
  contests: {
    label: 'Contests and matches',
    deeds: ['contests', 'registrations', 'recurring', 'entries', 'histories', 'play'],
  },
  grades: { label: 'Grades', deeds: ['grades'] },
  hearings: { label: 'Evidence and hearings', deeds: ['dossiers', 'home', 'cases'] },
  agents: { label: 'Agents, challenges and texts', deeds: ['agents', 'components', 'challenges', 'texts'] },
  class: { label: 'Settings and network', deeds: ['settings', 'names', 'classes', 'network', 'screens', 'audit'] },
} as const
export type DeedKind = keyof typeof deedKinds

/** The object of a deed, in words. `names`: of people and teams, by their ids. */
export function objectText(what: Json, names: ReadonlyMap<string, string>): string {
  if (typeof what !== 'object' || what === null) return valueText(what, names)
  if (Array.isArray(what)) return (what as readonly Json[]).map((each) => valueText(each, names)).join(', ')
  return Object.entries(what)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${wordsOf(name)}: ${valueText(value, names)}`)
    .join(' · ')
}

function valueText(value: Json, names: ReadonlyMap<string, string>): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null) return 'none'
  if (typeof value === 'object') return objectText(value, names)
  // The beginning of a hash tells it from others.
  return names.get(String(value)) ?? String(value).replace(/^([0-9a-f]{8})[0-9a-f]{56}$/, '$1…')
}

/** `attemptsADay` as "attempts a day". */
const wordsOf = (name: string): string =>
  name.replaceAll(/(?<=[a-z])[A-Z]|(?<=A)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
