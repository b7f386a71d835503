import fastify from 'fastify'
import { expect, test } from 'vitest'
import { admitGuests, endGuests, GUESTS, guestsUntil } from '../../../main/administrator/people/guests.ts'
import type { Visitor } from '../../../main/contract/people/caller.ts'
import { admissionOf } from '../../../main/portal/network.ts'
import { openSignInDesk } from '../../../main/portal/sign-in-routes.ts'
import { presentCaller } from '../../../main/services/people/callers.ts'
import { HOUR, openTestClass, person, START } from './class.ts'

const guest: Visitor = { kind: 'guest' }

test('guests may call while there is a link, until its end, or until it is ended', () => {
  const room = openTestClass([])
  expect(presentCaller(room, guest).role).toBeNull()
  const first = admitGuests(room, new Date(START + HOUR))
  expect(presentCaller(room, guest).role).toBe('guest')
  expect(guestsUntil(room)).toEqual(new Date(START + HOUR))
  room.time = START + HOUR
  expect(presentCaller(room, guest).role).toBeNull()
  admitGuests(room, new Date(START + 2 * HOUR))
  room.ended.length = 0
  endGuests(room)
  expect(presentCaller(room, guest).role).toBeNull()
  expect(room.ended).toEqual([GUESTS])
  for (const until of [START, START + 181 * 24 * HOUR, Number.NaN])
    expect(() => admitGuests(room, new Date(until))).toThrow(
      expect.objectContaining({ code: 'input-invalid' }) as Error,
    )
  const kept = JSON.stringify(room.people.database.prepare('SELECT * FROM guest_link').all())
  expect(kept).not.toContain(first)
})

test('the link admits a browser as a guest; a wrong, former or ended one does not, and is answered like none', async () => {
  const room = openTestClass([person('a', 'Ada')])
  const { visitorOf, refuse } = admissionOf(openSignInDesk(room), room)
  const app = fastify()
  app.addHook('onRequest', async (request, reply) => {
    const visitor = visitorOf(request)
    return visitor === null ? refuse(request, reply) : reply.send(visitor.kind)
  })
  app.decorateReply('sendFile', function () {
    return this.send('sign in')
  })
  app.get('/', () => null)
  const visit = async (url: string, cookie = ''): Promise<{ status: number; body: string; cookie: string }> => {
    const { statusCode: status, body, headers } = await app.inject({ url, headers: { cookie } })
    return { status, body, cookie: String(headers['set-cookie'] ?? '') }
  }
  const stranger = await visit('/')
  expect(stranger).toEqual({ status: 401, body: 'sign in', cookie: '' })
  const former = admitGuests(room, new Date(START + HOUR))
  const secret = admitGuests(room, new Date(START + HOUR))
  expect(await visit(`/?guest=${former}`)).toEqual(stranger)
  expect(await visit('/?guest=')).toEqual(stranger)
  const admitted = await visit(`/?guest=${secret}`)
  expect(admitted.status).toBe(200)
  expect(admitted.cookie).toMatch(/^__Host-tartaglia-guest=.*; Secure; HttpOnly; SameSite=Strict; Max-Age=3600$/)
  const [cookie = ''] = admitted.cookie.split(';')
  expect((await visit('/', cookie)).body).toBe('guest')
  endGuests(room)
  expect(await visit('/', cookie)).toEqual(stranger)
  expect(await visit(`/?guest=${secret}`)).toEqual(stranger)
  await app.close()
})
