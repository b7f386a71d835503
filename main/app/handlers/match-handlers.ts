import { hash } from 'node:crypto'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { Caller } from '../../contract/people/caller.ts'
import type { PlayingTeam } from '../../services/contests/human/human-matches.ts'
import { createTurns } from '../../services/evidence/in-turn.ts'
import { requireTeam } from '../../services/people/teams.ts'
import { textsSeen } from '../../services/texts/named-texts.ts'
import { historyFacets, historyPage } from '../overview-lists.ts'
import type { Rooms } from '../rooms.ts'
import { waitingAs } from './case-evidence.ts'
import type { HandlersOf } from './handlers-of.ts'
/** The team of a student who plays by hand; undefined: an educator or assistant does. Throws ExpectedError `team-needed`. */
function playingTeam(home: Rooms['home'], views: Rooms['views'], caller: Caller): PlayingTeam | undefined {
  if (caller.role !== 'student') return undefined
  const { id } = requireTeam(home.content, caller.person)
  const view = views.of(caller)
  return { id, texts: textsSeen(home.folder, (text) => view.seesChallenge(hash('sha256', text))) }
}

/** The procedures of matches, finished, running or with a person, and of their histories. */
export function matchHandlers({
  home,
  contests,
  matches,
  downloads,
  live,
  otherAnswers,
  plays,
  views,
}: Rooms): HandlersOf<'matches' | 'play' | 'histories' | 'downloads'> {
  // Each page replays its match twice, and everybody may ask for one.
  const pagesInTurn = createTurns('Another page of a match is still being made for you: wait for it.')
  return {
    'downloads.piece': ({ download }) => downloads.piece(download),
    async 'downloads.drop'({ download }) {
      await downloads.drop(download)
      return null
    },

    'matches.get': ({ source }) => matches.detail(source),
    'matches.live': async ({ contest, match }) => live.facts(contest, match),
    'matches.events': ({ source, ...page }) => matches.events(source, page),
    'matches.outline': ({ source, from }) => matches.outline(source, from),
    'matches.state': ({ source, position }) => matches.state(source, position),
    'matches.otherAnswer': (wish) => otherAnswers.run(wish),
    async 'matches.stopOtherAnswer'({ request }) {
      otherAnswers.stop(request)
      return null
    },

    'play.opponents': ({ game }, caller) => plays.opponents(game, playingTeam(home, views, caller)?.id ?? null),
    'play.begin': async (wish, caller) => ({ contest: await plays.begin(wish, playingTeam(home, views, caller)) }),
    'play.get': async ({ contest }) => plays.get(contest),
    async 'play.answer'({ contest, question, value }) {
      plays.answer(contest, question, value)
      return null
    },
    async 'play.leave'({ contest }) {
      plays.leave(contest)
      return null
    },

    'histories.list': (input, caller) => historyPage({ home, contests, matches }, views.of(caller), input),
    'histories.facets': async (_, caller) => historyFacets(home, views.of(caller)),
    'histories.expect': async ({ fileName, bytes, end }) => ({
      file: await matches.expect(fileName, bytes, Buffer.from(end, 'base64')),
    }),
    'histories.verify': ({ source }) => matches.verifications.run(source),
    async 'histories.verifyAll'(filter) {
      if (matches.manyVerifications.part('') !== null) {
        throw new ExpectedError('usage', 'busy', 'Other histories are being verified; stop that first, or wait for it.')
      }
      return matches.manyVerifications.run(filter)
    },
    async 'histories.stopAll'() {
      matches.manyVerifications.close()
      return null
    },
    async 'histories.stop'({ source }) {
      matches.verifications.stop(source)
      return null
    },
    'histories.export': ({ contest, match }) => matches.exported(contest, match),
    'histories.replay': ({ contest, match }, caller) =>
      pagesInTurn(waitingAs(caller), () => matches.page(contest, match)),
    async 'histories.archive'(wish, caller) {
      const { fileName, matches: total, leftOut, ...archive } = await matches.archive(wish)
      return { download: await downloads.begin(caller, archive), fileName, matches: total, leftOut }
    },
    'histories.unpack': ({ file }) => matches.unpack(file),
    'histories.bringComments': ({ file }) => matches.bringComments(file),
    'histories.comments': ({ source }) => matches.comments.list(source),
    async 'histories.comment'({ source, comment }) {
      await matches.comments.add(source, comment)
      return matches.comments.list(source)
    },
    async 'histories.deleteComment'({ source, id }) {
      await matches.comments.remove(source, id)
      return matches.comments.list(source)
    },
    'histories.look': ({ file }) => matches.look(file),
    'histories.compare': ({ first, second }) => matches.compare(first, second),
    'histories.verifyFiles': ({ files }) => matches.verifyFiles(files),
  }
}
