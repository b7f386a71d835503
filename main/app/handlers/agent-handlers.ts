import { receiveEntries } from '../../services/entries/entries-file.ts'
import { writeFile } from 'node:fs/promises'
import { entriesName, packEntries } from '../../services/entries/export-entries.ts'
import type { UploadedPackage } from '../../services/packages/uploaded-packages.ts'
import { importEntries, lookAtEntries } from '../../services/entries/import-entries.ts'

import type { Caller } from '../../contract/people/caller.ts'
import type { SeesContest } from '../../services/agents/class-agents.ts'
import { kitFileName, packKit } from '../../services/agents/kits.ts'
import { practiceOf } from '../../services/contests/kept/practice.ts'

import { keptMatchPath, listKeptMatches } from '../../services/matches/kept-match-list.ts'
import { saveCaseAt } from '../../services/matches/replay/save-case.ts'
import { thisKit } from '../../services/packages/pack.ts'
import { publisherOf } from '../../services/people/ownership.ts'
import type { Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'
/** The procedures of agents, their packages and sources, and of what configs name: challenges and texts. */
export function agentHandlers(
  rooms: Rooms,
): HandlersOf<'agents' | 'sources' | 'components' | 'kits' | 'challenges' | 'texts' | 'entries'> {
  return { ...ownAgents(rooms), ...packages(rooms), ...named(rooms), ...entries(rooms) }
}

function ownAgents({
  home,
  contests,
  challenges,
  agents,
  runner,
  signals,
  uploads,
  views,
}: Rooms): HandlersOf<'agents'> {
  // Records are counted and paged, so that they are narrowed before that.
  const seenBy = (caller: Caller): SeesContest => views.of(caller).seesContest
  return {
    'agents.list': (input, caller) => agents.list(input, seenBy(caller)),
    'agents.get': ({ name }, caller) => agents.get(name, seenBy(caller)),
    'agents.similar': ({ name }) => agents.similar(name),
    'agents.similarInClass': ({ name }) => agents.similarInClass(name),
    'agents.similarPairs': () => agents.similarPairs(),
    'agents.compareCode': ({ name, other, earlier }) => agents.compareCode([name, other], earlier),
    'agents.faults': ({ name, ...page }, caller) => agents.faults(name, page, seenBy(caller)),
    'agents.results': ({ name }, caller) => agents.results(name, seenBy(caller)),
    'agents.trialMatch': async ({ name, agent }) => ({ file: await agents.trialMatch(name, agent) }),
    'agents.console': ({ name, ...page }, caller) => agents.console(name, page, seenBy(caller)),
    'agents.look': ({ file, game }) => uploads.read(file, (given) => agents.look({ file: given, game })),
    'agents.submit': ({ file, ...handedIn }) =>
      uploads.use(file, (given) => agents.submit({ file: given, ...handedIn })),
    'agents.adopt': ({ game }) => agents.adopt(game),
    async 'agents.rename'({ name, to }) {
      await agents.rename(name, to)
      return null
    },
    async 'agents.remove'({ name }) {
      await agents.remove(name)
      return null
    },
    async 'agents.try'({ name }) {
      agents.tryAgain(name)
      return null
    },
    async 'agents.practise'(wish) {
      const { id } = await home.inTurn(async () =>
        contests.add(await practiceOf(home, contests, wish, challenges.texts)),
      )
      signals.touch('status')
      await runner.start(id)
      return { contest: id }
    },
    async 'agents.stop'({ name }) {
      agents.stopTrying(name)
      return null
    },
  }
}

function packages({
  home,
  sources,
  components,
  uploads,
  downloads,
  matches,
}: Rooms): HandlersOf<'sources' | 'components' | 'kits'> {
  return {
    'sources.list': async (input) => sources.list(input),
    'sources.get': (version) => sources.get(version),
    'sources.file': ({ path, ...version }) => sources.file(version, path),
    async 'sources.download'(version, caller) {
      const download = await downloads.beginFile(caller, (path) => sources.writeZip(version, path))
      return { download, fileName: `source-${version.agent.slice(0, 12)}.zip` }
    },

    'components.list': (input) => components.list(input),
    'components.get': ({ component }) => components.get(component),
    'components.publish': ({ file, ...more }, caller) =>
      uploads.use(file, (given) => components.publish({ ...given, ...more, ...publisherOf(home.content, caller) })),
    async 'components.withdraw'({ component, isWithdrawn }) {
      await components.withdraw(component, isWithdrawn)
      return null
    },

    async 'kits.get'(choice, caller) {
      const fileName = kitFileName(choice)
      const download = await downloads.beginShared(caller, fileName, async (path) =>
        writeFile(path, await packKit(choice), { flag: 'wx', mode: 0o600 }),
      )
      return { download, fileName }
    },
    'kits.matches': async () => listKeptMatches(thisKit()),
    'kits.match': async ({ match }) => ({ file: await matches.open(keptMatchPath(thisKit(), match)) }),
    'kits.saveCase': async (wish) => ({ file: await saveCaseAt(matches, wish, thisKit()) }),
  }
}

function named({ challenges, texts }: Rooms): HandlersOf<'challenges' | 'texts'> {
  return {
    'challenges.list': () => challenges.list(),
    'challenges.get': ({ name }) => challenges.get(name),
    'challenges.save': ({ name, source, from }) => challenges.save(name, source, from),
    async 'challenges.delete'({ name }) {
      await challenges.delete(name)
      return null
    },

    'texts.list': (field) => texts.list(field),
    'texts.get': ({ name, ...field }) => texts.get(field, name),
    'texts.add': ({ name, text, ...field }) => texts.add(field, name, text),
    async 'texts.delete'({ name, ...field }) {
      await texts.delete(field, name)
      return null
    },
  }
}

function entries({ home, agents, signals, uploads, downloads, clock, onFatal }: Rooms): HandlersOf<'entries'> {
  const opened = ({ fileName, path }: UploadedPackage) => receiveEntries(fileName, path)
  return {
    'entries.look': ({ file }) => uploads.read(file, async (given) => lookAtEntries(home, await opened(given))),
    async 'entries.import'({ trust, file }) {
      const at = clock.now()
      const added = await uploads.use(file, async (given) => importEntries(home, await opened(given), { trust, at }))
      signals.touch('settings')
      signals.touch('agents')
      agents.tryUntried().catch(onFatal)
      return added
    },
    async 'entries.export'(choice, caller) {
      const { file, fingerprint } = await packEntries(home, choice)
      if (home.content.settings.school !== choice.school) {
        await home.change(({ settings }) => void (settings.school = choice.school))
        signals.touch('settings')
      }
      return { download: await downloads.begin(caller, file), fileName: entriesName(choice.school), fingerprint }
    },
  }
}
