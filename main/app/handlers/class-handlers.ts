import { ExpectedError } from '../../contract/expected-error.ts'
import { isolationTiers } from '../../services/machine/isolation.ts'
import { checkAllowList } from '../../services/machine/web-addresses.ts'
import { hostsOfMachine } from '../../services/contests/arena/network-contest.ts'
import { backUp } from '../../services/archive/back-up.ts'
import { givePseudonyms } from '../../services/pseudonyms/pseudonyms.ts'
import { overview } from '../overview-lists.ts'

import { settingsOf, type Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'
/** The procedures of the class as a whole and of its machine. */
export function classHandlers({
  home,
  contests,
  results,
  runner,
  pages,
  agents,
  recurring,
  examinations,
  signals,
  views,
  handIns,
  backups,
  ongoing,
  updates,
  clock,
  invite,
}: Rooms): HandlersOf<'class' | 'arena' | 'screens' | 'settings' | 'isolation' | 'doctor'> {
  return {
    'class.overview': (_, caller) =>
      overview(
        { home, runner, pages, contests, agents, results, receipts: handIns.chain, backups, clock },
        views.of(caller),
      ),
    'arena.hosts': async () => hostsOfMachine(),
    async 'screens.invite'() {
      if (invite === undefined)
        throw new ExpectedError(
          'usage',
          'classroom-not-served',
          'This window shows the classroom by itself: "tartaglia serve" serves it to browsers.',
        )
      return invite()
    },

    'settings.get': async () => settingsOf(home, backups),
    async 'settings.set'(change) {
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      checkAllowList(change.webAddresses ?? [])
      const { timeZone } = home.content.settings
      await home.change((content) => {
        Object.assign(content.settings, given)
        if (change.pseudonyms !== undefined) givePseudonyms(content)
      })
      if (change.pseudonyms !== undefined) {
        contests.renamed()
        signals.touch('agents')
      }
      if (home.content.settings.timeZone !== timeZone) await recurring.zoneChanged()
      if (change.backups !== undefined) backups.changed()
      if (change.updates !== undefined) updates.changed()
      signals.touch('settings')
      return settingsOf(home, backups)
    },
    'settings.backup': () => ongoing.run('backup', () => backUp(home)),
    'isolation.tiers': () => isolationTiers(),
    'doctor.run': () => examinations.run(null),
    async 'doctor.stop'() {
      examinations.stop(null)
      return null
    },
  }
}
