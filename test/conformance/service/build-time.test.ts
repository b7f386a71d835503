import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { refusal } from '../../refusal.ts'
import { openPlace, openRoom, type Room } from './classroom.ts'
import { zip } from './zip.ts'

const place = openPlace('build-time')
afterAll(() => place.remove())

let room: Room
beforeEach(async () => {
  const data = join(place.folder, 'class')
  const home = await openClassFolder(data)
  await home.change(({ settings }) => {
    settings.isolation = 'none'
  })
  await home.close()
  room = await openRoom(data, false)
})
afterEach(() => room.service.close())

test.skipIf(process.platform === 'win32')(
  'a build that takes longer than the class allows is refused (needs a Unix shell)',
  async () => {
    // The shortest time that a class can set; it would be done within the usual one.
    await room.call('handIn.setRules', { builds: { seconds: 10, memoryMb: 2_048 } })
    const manifest = {
      name: 'lento',
      game: 'haggle',
      kind: 'program',
      build: ['sleep', '40'],
      command: ['sh', 'agent.sh'],
    }
    const content = zip({ 'agent.json': JSON.stringify(manifest), 'agent.sh': 'exit 1\n' })
    const submitted = room.submit({ fileName: 'lento.zip', content, game: 'haggle', wait: false })
    await expect(submitted).rejects.toThrow(refusal('build-failed', 'lento.zip', '10 s'))
    expect(await room.call('agents.list', { offset: 0, limit: 10, search: '' })).toMatchObject({ total: 0 })
  },
)
