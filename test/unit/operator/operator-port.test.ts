import { request } from 'node:http'
import { expect, test } from 'vitest'
import { openOperatorPort, type Shown } from '../../../main/operator/operator-port.ts'
import { watchProcess } from '../../../main/operator/process-metrics.ts'
import type { OperatorPort } from '../../../main/operator/operator-port.ts'

interface Told {
  readonly status: number
  readonly type: string
  readonly text: string
}

function ask(origin: string, path: string, headers = {}, method = 'GET'): Promise<Told> {
  return new Promise((resolve, reject) => {
    const asked = request(`${origin}${path}`, { method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text }),
      )
    })
    asked.on('error', reject)
    asked.end()
  })
}

const starting: Shown = { stage: 'starting', figures: () => null, errors: 3, linesLost: 0 }

async function withPort(shown: Shown, use: (port: OperatorPort) => Promise<void>): Promise<void> {
  const port = await openOperatorPort(0, watchProcess('1.2.3'), () => shown)
  try {
    await use(port)
  } finally {
    await port.close()
  }
}

test('before a class is open, its health says so, and the metrics are those of the process', () =>
  withPort(starting, async ({ origin }) => {
    const health = await ask(origin, '/health')
    expect([health.status, JSON.parse(health.text)]).toEqual([503, { status: 'starting', problems: [] }])
    const metrics = await ask(origin, '/metrics')
    expect(metrics).toMatchObject({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' })
    expect(metrics.text).toContain('tartaglia_build_info{version="1.2.3"} 1\n')
    expect(metrics.text).toContain('tartaglia_unexpected_errors_total 3\n')
    expect(Number(/^process_resident_memory_bytes (\d+)$/m.exec(metrics.text)?.[1])).toBeGreaterThan(1e6)
    expect(metrics.text).toMatch(/^nodejs_eventloop_lag_max_seconds [\d.e-]+$/m)
    expect(metrics.text).not.toContain('tartaglia_contests')
  }))

test('a page of another site, another method and another path are refused', () =>
  withPort(starting, async ({ origin }) => {
    expect((await ask(origin, '/metrics', { Host: 'attacker.example' })).status).toBe(403)
    expect((await ask(origin, '/metrics', {}, 'POST')).status).toBe(405)
    expect((await ask(origin, '/')).status).toBe(404)
    expect(
      (await ask(origin, '/metrics', { Host: new URL(origin).host.replace('127.0.0.1', 'localhost') })).status,
    ).toBe(200)
  }))

test('figures that cannot be collected are an error of the server, and the next question is answered', () => {
  let isBroken = true
  const shown: Shown = {
    ...starting,
    stage: 'open',
    figures: () => (isBroken ? Promise.reject(new Error('closed')) : null),
  }
  return withPort(shown, async ({ origin }) => {
    expect((await ask(origin, '/metrics')).status).toBe(500)
    isBroken = false
    expect((await ask(origin, '/metrics')).status).toBe(200)
  })
})

test('a port that another program has is refused', () =>
  withPort(starting, async ({ origin }) => {
    const taken = Number(new URL(origin).port)
    const watch = watchProcess('1')
    await expect(openOperatorPort(taken, watch, () => starting)).rejects.toMatchObject({ code: 'port-unavailable' })
    watch.stop()
  }))
