import fastify from 'fastify'
import { expect, test } from 'vitest'
import { addRateLimits } from '../../../main/portal/rate-limits.ts'

test('the addresses of one network of IPv6 are counted together', async () => {
  const app = fastify()
  await addRateLimits(app, () => null)
  app.post('/histories', () => null)
  const upload = async (remoteAddress: string): Promise<number> => {
    const { statusCode } = await app.inject({ method: 'POST', url: '/histories', remoteAddress })
    return statusCode
  }
  for (let n = 0; n < 120; n += 1) expect(await upload(`2001:db8::${n.toString(16)}:1`)).toBe(200)
  expect(await upload('2001:db8::ffff')).toBe(429)
  expect(await upload('2001:db8:0:1::1')).toBe(200)
  await app.close()
})
