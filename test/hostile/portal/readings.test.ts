import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlace, openRoom, type Room } from '../../conformance/service/classroom.ts'
import { costOf, receiverIn, slowTexts } from './slow-texts.ts'

// Everything that strangers send is read in another process: the process that carries the bytes of network agents, which is this
// one, does not compute meanwhile. Each text takes seconds to read. `npm run bench -- readings` prints the pauses.

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
  const { turnMs, error } = await costOf(() => send(receiverIn(room)))
  // Read, and refused only for its content.
  if (error !== null) expect(error).toMatchObject({ code: expect.stringMatching(/^(settings|challenge|history)-/) })
  expect(turnMs).toBeLessThan(250)
})
