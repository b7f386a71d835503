import { ExpectedError } from '../expected-error.ts'
import type { ProcedureName } from './procedures.ts'

/**
 * `reads`: writes nothing in the data folder, so that it works in a class that is open to look at. `changes`: changes the class or
 * this machine's settings of it, signs something for it, or is a step of doing so. A procedure without a line does not compile.
 */
const procedureEffects = {
  'class.overview': 'reads',

  'agents.list': 'reads',
  'agents.get': 'reads',
  'agents.similar': 'reads',
  'agents.similarInClass': 'reads',
  'agents.similarPairs': 'reads',
  'agents.compareCode': 'reads',
  'agents.faults': 'reads',
  'agents.results': 'reads',
  'agents.trialMatch': 'reads',
  'agents.console': 'reads',
  'agents.look': 'changes',
  'agents.submit': 'changes',
  'agents.adopt': 'changes',
  'agents.rename': 'changes',
  'agents.remove': 'changes',
  'agents.try': 'changes',
  'agents.practise': 'changes',
  'agents.stop': 'changes',

  'sources.list': 'reads',
  'sources.get': 'reads',
  'sources.file': 'reads',
  'sources.download': 'reads',

  'components.list': 'reads',
  'components.get': 'reads',
  'components.publish': 'changes',
  'components.withdraw': 'changes',

  'kits.get': 'reads',
  'kits.matches': 'reads',
  'kits.match': 'reads',
  'kits.saveCase': 'changes',

  'challenges.list': 'reads',
  'challenges.get': 'reads',
  'challenges.save': 'changes',
  'challenges.delete': 'changes',

  'texts.list': 'reads',
  'texts.get': 'reads',
  'texts.add': 'changes',
  'texts.delete': 'changes',

  'contests.list': 'reads',
  'contests.result': 'reads',
  'contests.get': 'reads',
  'contests.standings': 'reads',
  'contests.breakdowns': 'reads',
  'contests.parts': 'reads',
  'contests.entrants': 'reads',
  'contests.teams': 'reads',
  'contests.matches': 'reads',
  'contests.estimate': 'reads',
  'contests.unfit': 'reads',
  'contests.try': 'changes',
  'contests.create': 'changes',
  'contests.duplicate': 'changes',
  'contests.rerun': 'changes',
  'contests.nextPhase': 'changes',
  'contests.closeEntries': 'changes',
  'contests.start': 'changes',
  'contests.credentials': 'reads',
  'contests.pause': 'changes',
  'contests.finish': 'changes',
  'contests.cancel': 'changes',
  'contests.consequences': 'reads',
  'contests.decide': 'changes',
  'contests.nextRound': 'changes',
  'contests.archive': 'changes',
  'contests.deletion': 'reads',
  'contests.delete': 'changes',

  'recurring.list': 'reads',
  'recurring.add': 'changes',
  'recurring.repeat': 'changes',
  'recurring.edit': 'changes',
  'recurring.remove': 'changes',
  'recurring.run': 'changes',

  'registrations.get': 'reads',
  'registrations.set': 'changes',
  'registrations.register': 'changes',
  'registrations.withdraw': 'changes',
  'registrations.credentials': 'changes',

  'entries.look': 'changes',
  'entries.import': 'changes',
  'entries.export': 'changes',

  'teams.mine': 'reads',
  'teams.form': 'changes',
  'teams.invite': 'changes',
  'teams.join': 'changes',
  'teams.leave': 'changes',
  'teams.rename': 'changes',
  'teams.list': 'reads',
  'teams.change': 'changes',

  'student.home': 'reads',
  'student.news': 'reads',
  'student.losses': 'reads',

  'practice.get': 'reads',
  'practice.begin': 'changes',
  'practice.match': 'reads',

  'handIn.submit': 'changes',
  // It writes into the data folder for a moment.
  'handIn.look': 'changes',
  'handIn.attempts': 'reads',
  'handIn.queue': 'reads',
  'handIn.giveBack': 'changes',
  'handIn.withdraw': 'changes',
  'handIn.note': 'changes',
  'handIn.pause': 'changes',
  'handIn.rules': 'reads',
  'handIn.setRules': 'changes',

  'receipts.list': 'reads',
  'receipts.get': 'reads',
  'receipts.head': 'reads',

  'deadlines.get': 'reads',
  'deadlines.set': 'changes',
  'deadlines.extend': 'changes',
  'deadlines.extensions': 'reads',

  'cases.list': 'reads',
  'cases.get': 'reads',
  'cases.tokens': 'reads',
  'cases.precedents': 'reads',
  'cases.file': 'changes',
  'cases.act': 'changes',
  'cases.open': 'reads',
  'cases.export': 'reads',

  'matches.get': 'reads',
  'matches.events': 'reads',
  'matches.live': 'reads',
  'matches.outline': 'reads',
  'matches.state': 'reads',
  'matches.otherAnswer': 'reads',
  'matches.stopOtherAnswer': 'reads',

  'play.opponents': 'reads',
  'play.begin': 'changes',
  'play.get': 'reads',
  'play.answer': 'changes',
  'play.leave': 'changes',

  'histories.list': 'reads',
  'histories.facets': 'reads',
  'histories.expect': 'reads',
  'histories.verify': 'reads',
  'histories.verifyAll': 'reads',
  'histories.stopAll': 'reads',
  'histories.stop': 'reads',
  'histories.export': 'reads',
  'histories.replay': 'reads',
  'histories.archive': 'reads',
  'histories.unpack': 'reads',
  'histories.bringComments': 'reads',
  'histories.comments': 'reads',
  'histories.comment': 'changes',
  'histories.deleteComment': 'changes',
  'histories.look': 'reads',
  'histories.compare': 'reads',
  'histories.verifyFiles': 'reads',

  'mining.questions': 'reads',
  'mining.tables': 'reads',
  // Their databases are then in a temporary folder.
  'mining.ask': 'reads',
  'mining.compare': 'reads',
  'mining.query': 'reads',
  'mining.search': 'reads',
  'mining.download': 'reads',
  'mining.stop': 'reads',

  'dossiers.list': 'reads',
  'dossiers.get': 'reads',
  'dossiers.make': 'changes',
  'dossiers.rename': 'changes',
  'dossiers.share': 'changes',
  'dossiers.remove': 'changes',
  'dossiers.keep': 'changes',
  'dossiers.note': 'changes',
  'dossiers.drop': 'changes',
  'dossiers.verify': 'changes',
  'dossiers.rerunOffer': 'reads',
  'dossiers.rerun': 'changes',
  'dossiers.stopRerun': 'reads',
  'dossiers.rules': 'reads',
  'dossiers.addRule': 'changes',
  'dossiers.open': 'reads',
  'dossiers.download': 'changes',

  'downloads.piece': 'reads',
  'downloads.drop': 'reads',

  'arena.hosts': 'reads',

  'screens.invite': 'reads',

  'network.state': 'reads',
  'network.interfaces': 'reads',
  'network.open': 'changes',
  'network.close': 'changes',

  'classes.get': 'reads',
  'classes.open': 'changes',
  'classes.close': 'changes',
  'classes.create': 'changes',
  'classes.newTerm': 'changes',
  'classes.sampleTerm': 'changes',
  'classes.import': 'changes',
  'classes.export': 'changes',
  'classes.stopExport': 'changes',

  'settings.get': 'reads',
  'settings.set': 'changes',
  'settings.backup': 'changes',

  'isolation.tiers': 'reads',

  'doctor.run': 'changes',
  'doctor.stop': 'changes',

  'me.get': 'reads',
  'me.password': 'changes',
  'me.pseudonym': 'changes',
  'me.sessions': 'reads',
  'me.endOthers': 'changes',
  'me.endSession': 'changes',
  'me.download': 'reads',
  'me.device': 'changes',
  'me.confirmDevice': 'changes',

  'grades.term': 'reads',
  'grades.book': 'reads',
  'grades.preview': 'reads',
  'grades.setScheme': 'changes',
  'grades.setManual': 'changes',
  'grades.release': 'changes',
  'grades.fill': 'reads',
  'grades.mine': 'reads',

  'home.get': 'reads',
  'home.stopRerun': 'reads',

  'people.list': 'reads',
  'people.preview': 'changes',
  'people.import': 'changes',
  'people.change': 'changes',
  'people.remove': 'changes',
  'people.erase': 'changes',
  'people.code': 'changes',
  'people.slips': 'changes',
  'people.admit': 'changes',
  'people.joining': 'changes',

  'guests.get': 'reads',
  'guests.admit': 'changes',
  'guests.end': 'changes',

  'names.state': 'reads',
  // In memory alone.
  'names.unlock': 'reads',
  'names.setPassphrase': 'changes',
  'names.forget': 'changes',

  'audit.list': 'reads',
} as const satisfies { readonly [N in ProcedureName]: 'reads' | 'changes' }

/** A procedure that changes something. */
export type ChangingProcedure = {
  [N in ProcedureName]: (typeof procedureEffects)[N] extends 'changes' ? N : never
}[ProcedureName]

/** True if a procedure works in a class that is open to look at. */
export function onlyReads(name: ProcedureName): boolean {
  return procedureEffects[name] === 'reads'
}

/** The refusal of every change of a class that is open to look at. */
export function readOnlyRefusal(): ExpectedError {
  return new ExpectedError(
    'usage',
    'read-only',
    'This class is open to look at: nothing can be changed. Open its folder without --read-only to change it.',
  )
}
