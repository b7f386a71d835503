import fastify from 'fastify'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { Dispatcher } from '../../../main/administrator/procedures/dispatch.ts'
import type { Visitor } from '../../../main/contract/people/caller.ts'
import { addCalls } from '../../../main/portal/calls.ts'
import { callClass, type RemoteClass } from '../../../main/services/remote-class/class-requests.ts'

test('an answer that takes long begins with spaces, so that a terminal knows that the class works on it', async () => {
  const app = fastify()
  const dispatcher = {
    async call(name: string, input: { readonly ms: number }) {
      await sleep(input.ms)
      const error = { code: 'refused', reason: 'attempts-used', message: 'None is left.' }
      return name === 'refused' ? { ok: false, error } : { ok: true, value: 'done' }
    },
  } as unknown as Dispatcher
  addCalls(app, dispatcher, () => ({ kind: 'session', isTerminal: true }) as Visitor, 40)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const onWaiting = vi.fn()
  const remote: RemoteClass = {
    origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    ...{ certificate: null, expected: null, token: 'x', isOver: false, agent: 'test' },
    ...{ signal: new AbortController().signal, onWaiting },
  }
  const ask = (name: string, ms: number): Promise<string> => callClass(remote, name, { ms }, z.string())
  expect([await ask('quick', 0), onWaiting.mock.calls.length]).toEqual(['done', 0])
  expect([await ask('slow', 150), onWaiting.mock.calls.length]).toEqual(['done', 1])
  await expect(ask('refused', 0)).rejects.toMatchObject({ code: 'attempts-used' })
  await expect(ask('refused', 150)).rejects.toMatchObject({ code: 'attempts-used' })
  await app.close()
})
