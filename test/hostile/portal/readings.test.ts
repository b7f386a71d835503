import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlace, openRoom, type Room } from '../../conformance/service/classroom.ts'
import { pauseDuring, slowTexts } from './slow-texts.ts'

// Everything that strangers send is read in another process: the process that carries the bytes of network agents, which is this
// one, does not stand still meanwhile. `npm run bench -- readings` prints the figures.

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
  const { pauseMs } = await pauseDuring(() => send(room))
  expect(pauseMs).toBeLessThan(250)
})
