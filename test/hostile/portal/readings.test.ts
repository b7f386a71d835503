import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as challenges from '../../../grammars/challenges/index.ts'
import * as foreign from '../../../main/services/agents/foreign-scripts.ts'
import * as entries from '../../../main/services/entries/entries-file.ts'
import * as archives from '../../../main/services/packages/archives.ts'
import * as prepare from '../../../main/services/packages/prepare.ts'
import * as tar from '../../../main/services/packages/tar.ts'
import { openPlace, openRoom, type Room } from '../../conformance/service/classroom.ts'
import { costOf, receiverIn, slowTexts } from './slow-texts.ts'

// Everything that strangers send is read in another process: the process that carries the bytes of network agents, which is this
// one, does not compute meanwhile. Each text takes seconds to read. `npm run bench -- readings` prints the pauses.

vi.mock('../../../grammars/challenges/index.ts', { spy: true })
vi.mock('../../../main/services/agents/foreign-scripts.ts', { spy: true })
vi.mock('../../../main/services/entries/entries-file.ts', { spy: true })
vi.mock('../../../main/services/packages/archives.ts', { spy: true })
vi.mock('../../../main/services/packages/prepare.ts', { spy: true })
vi.mock('../../../main/services/packages/tar.ts', { spy: true })

/** The parsers of strangers' texts, none of which this process calls. */
const parsers = {
  'a challenge': challenges.readChallenge,
  'a script': foreign.foreignScript,
  'an entries file': entries.readEntries,
  'a zip': archives.filesOfZip,
  'a package': prepare.readSubmission,
  'an agent of a trial': prepare.lookAtFile,
  'a tar': tar.readTar,
}
const calls = (): Readonly<Record<string, number>> => ({
  ...Object.fromEntries(Object.entries(parsers).map(([what, parser]) => [what, vi.mocked(parser).mock.calls.length])),
  // The baby, which plays against it, comes with the program.
  "a contest's agent": vi.mocked(prepare.readAgentFile).mock.calls.filter(([file]) => !file.endsWith('baby.js')).length,
})
const none = { ...Object.fromEntries(Object.keys(parsers).map((what) => [what, 0])), "a contest's agent": 0 }

const place = openPlace('readings')
let room: Room

beforeAll(async () => {
  room = await openRoom(`${place.folder}/data`)
})
afterAll(async () => {
  await room.service.close()
  place.remove()
})

test.each(slowTexts)('%s holds up nobody', async (_, send) => {
  vi.clearAllMocks()
  const { turnMs, error } = await costOf(() => send(receiverIn(room)))
  // Read, and refused only for its content.
  if (error !== null) expect(error).toMatchObject({ code: expect.stringMatching(/^(settings|challenge|history)-/) })
  expect(turnMs).toBeLessThan(250)
  expect(calls()).toEqual(none)
})

test('nor do the trial matches of what was handed in', async () => {
  for (const name of ['names', 'heavy'])
    await vi.waitUntil(async () => (await room.call('agents.get', { name })).versions[0]!.trial !== 'playing', {
      timeout: 60_000,
      interval: 200,
    })
  expect((await room.call('agents.get', { name: 'names' })).versions[0]!.smoke).not.toBeNull()
  expect(calls()).toEqual(none)
})
