import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openPlace, openRoom, type Room } from './classroom.ts'
import { refusal, saying } from '../../refusal.ts'

const place = openPlace('settings')
let room: Room
beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
})
afterAll(async () => {
  await room.service.close()
  place.remove()
})

test('a change is told to all who listen, and is there for those who come later', async () => {
  const told: unknown[] = []
  const off = room.service.on('settings', (value) => told.push(value))
  await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 60_000 })
  expect(told[0]).toEqual(await room.call('settings.get', {}))

  const changed = await room.call('settings.set', { appearance: 'dark', locale: 'de-DE' })
  expect(changed).toMatchObject({ appearance: 'dark', locale: 'de-DE', tourSeen: false })
  await vi.waitFor(() => expect(told.at(-1)).toEqual(changed), { timeout: 60_000 })

  off()
  const later: unknown[] = []
  room.service.on('settings', (value) => later.push(value))
  await vi.waitFor(() => expect(later).toEqual([changed]), { timeout: 60_000 })
})

test('addresses of web applications are kept, and stay when something else is changed', async () => {
  const webAddresses = ['http://10.0.0.7:8080/anna']
  expect(await room.call('settings.set', { webAddresses })).toMatchObject({ webAddresses })
  expect(await room.call('settings.set', { appearance: 'light' })).toMatchObject({ webAddresses })
  const wrong = room.call('settings.set', { webAddresses: ['http://10.0.0.7:8080/a/../b'] })
  await expect(wrong).rejects.toThrow(refusal('address-invalid'))
  expect(await room.call('settings.get', {})).toMatchObject({ webAddresses })
  expect(await room.call('settings.set', { webAddresses: [] })).toMatchObject({ webAddresses: [] })
})

test('backups by themselves are made as soon as they are set, and their problems are matters for the educator', async () => {
  const backups = { folder: join(place.folder, 'stick'), everyHours: 24 }
  expect(await room.call('settings.get', {})).toMatchObject({ backupState: null })
  await room.call('settings.set', { backups })
  const state = async () => (await room.call('settings.get', {})).backupState
  await vi.waitFor(async () => expect((await state())?.problem).toEqual(saying(backups.folder)), { timeout: 60_000 })
  const { attention } = await room.call('class.overview', {})
  expect(attention).toContainEqual({ text: saying(backups.folder), link: '#/settings' })
  mkdirSync(backups.folder)
  // Setting them again does not wait for the next try.
  await room.call('settings.set', { backups })
  await vi.waitFor(async () => expect(await state()).toMatchObject({ problem: null, tested: { problem: null } }), {
    timeout: 60_000,
  })
  expect((await room.call('class.overview', {})).attention.filter(({ link }) => link === '#/settings')).toEqual([])
  await room.call('settings.set', { backups: { folder: '', everyHours: 0 } })
  expect(await state()).toBeNull()
})

test('an examination of the machine tells how far it is, is shared, and can be stopped', async () => {
  const parts: unknown[] = []
  const off = room.service.on('examination', (part) => parts.push(part))
  const asked = [room.call('doctor.run', {}), room.call('doctor.run', {})]
  const outcomes = Promise.allSettled(asked)
  await vi.waitFor(() => expect(parts.some((part) => typeof part === 'number' && part > 0)).toBe(true), {
    timeout: 120_000,
  })
  await room.call('doctor.stop', {})
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: saying('check', 'stopped') } })
  }
  await vi.waitFor(() => expect(parts.at(-1)).toBeNull(), { timeout: 60_000 })
  off()
  // There is nothing left to stop, which is allowed.
  await room.call('doctor.stop', {})
})
