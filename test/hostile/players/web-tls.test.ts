import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { hasOpenssl, makeAuthority, type Authority, type Certified } from './certificates.ts'
import { answering, listenHttps, listenRaw, seatAt, type Listening } from './web.ts'
import { saying } from '../../refusal.ts'

describe.skipIf(!hasOpenssl)('a web application behind TLS (needs openssl)', () => {
  let folder = ''
  let school: Authority
  const usual = getCACertificates('default')
  const open: Listening[] = []
  beforeAll(() => {
    folder = temporaryFolder('tls')
    school = makeAuthority(folder)
  })
  afterEach(async () => {
    setDefaultCACertificates(usual)
    await Promise.all(open.splice(0).map((each) => each.close()))
  })

  const trust = (): void => setDefaultCACertificates([...usual, readFileSync(school.file, 'utf8')])
  /** Asks one question of an application with a certificate; counts the requests that came through. */
  async function ask(own: Certified, host = '127.0.0.1') {
    let requests = 0
    const listening = await listenHttps(own, (request, response) => {
      requests += 1
      request.resume()
      response.end('{"actions":[]}')
    })
    open.push(listening)
    const { player, ask: question } = await seatAt(`https://${host}:${listening.port}/`)
    const event = await question()
    player.close()
    return { event, requests }
  }
  const distrusted = {
    type: 'fault',
    gone: true,
    fault: { kind: 'crash', text: saying('web application', 'certificate') },
  }

  test('is asked where this machine trusts whoever certifies it, by name and by number', async () => {
    trust()
    const own = school.certify('good', ['DNS:agents.test', 'IP:127.0.0.1'])
    for (const host of ['127.0.0.1', 'agents.test']) {
      expect(await ask(own, host)).toMatchObject({ event: { type: 'answer', value: { actions: [] } }, requests: 1 })
    }
  })

  test('is told nothing where it is not trusted', async () => {
    const own = school.certify('unknown', ['IP:127.0.0.1'])
    expect(await ask(own)).toMatchObject({ event: distrusted, requests: 0 })
  })

  test.each([
    ['another name', ['DNS:elsewhere.test'], 30],
    ['another number', ['IP:127.0.0.2'], 30],
    ['a time that is over', ['DNS:agents.test', 'IP:127.0.0.1'], -1],
  ] as const)('is told nothing where its certificate is for %s', async (name, names, days) => {
    trust()
    const own = school.certify(name.replaceAll(' ', '-'), names, days)
    const host = name === 'another number' ? '127.0.0.1' : 'agents.test'
    expect(await ask(own, host)).toMatchObject({ event: distrusted, requests: 0 })
  })

  test('speaks TLS, and not what goes over it', async () => {
    const plain = await answering(() => ({ actions: [] }))
    const silly = await listenRaw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    open.push(plain, silly)
    for (const { port } of [plain, silly]) {
      const { player, ask: question } = await seatAt(`https://127.0.0.1:${port}/`)
      const text = expect.stringMatching(/did not answer in TLS/) as string
      expect(await question()).toMatchObject({ type: 'fault', gone: true, fault: { kind: 'protocol', text } })
      player.close()
    }
  })
})
