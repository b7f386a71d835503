import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import Baby from '../../../agents/specker/baby.ts'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { checkAgent } from '../../../main/services/contests/command/check-agent.ts'
import { completeContest } from '../../../main/services/contests/descriptions/contest-file.ts'
import { playContestFile } from '../../../main/services/contests/command/contest-command.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { allowedAddresses, changeAllowList } from '../../../main/services/machine/web-addresses.ts'
import { contestFile } from '../../../main/contract/contests/contests.ts'
import type { HeaderBody } from '../../../main/contract/histories/history.ts'
import type { Json } from '../../../main/contract/json.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { games } from '../../../main/referees/games.ts'
import { textOf } from '../../../main/referees/specker/language/concrete.ts'
import type { StartMessage, TurnMessage } from '../../../main/referees/specker/messages.ts'
import { hasOpenssl, makeAuthority } from '../../hostile/players/certificates.ts'
import { answering, listenHttp, listenHttps, listenRaw, type Listening } from '../../hostile/players/web.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal } from '../../refusal.ts'

const source = readFileSync(new URL('../../../grammars/challenges/max-csp.challenge', import.meta.url), 'utf8')
const config = { challenge: 'max-csp', challengeConfig: { maxVars: 6, maxConstraints: 20 }, maxTurns: 2 }

let folder = ''
let data = ''
const open: Listening[] = []
beforeEach(() => {
  folder = temporaryFolder('web')
  data = join(folder, 'data')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(open.splice(0).map((each) => each.close()))
})
async function at(server: Promise<Listening>): Promise<string> {
  const listening = await server
  open.push(listening)
  return listening.origin
}

type Message = StartMessage | TurnMessage

/** The moves of the baby; one web application has many matches. */
function babies(): (session: string, message: Message) => Json {
  const playing = new Map<string, Baby>()
  return (session, message) => {
    if (message.type === 'turn') return playing.get(session)!.turn(message) as unknown as Json
    playing.set(session, new Baby(message))
    return { ready: true }
  }
}

type Speak = (text: string, answer: (message: Message) => Json) => string

/** The baby as a web application; `speak`: how it turns a request into a response. */
const babyAt = (speak: Speak): Promise<Listening> => listenHttp(babyBehind(speak))

function babyBehind(speak: Speak): RequestListener {
  const play = babies()
  return (request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const session = String(request.headers['tartaglia-session'])
      response.end(speak(text, (message) => play(session, message)))
    })
  }
}
const inJson = (text: string, answer: (message: Message) => Json): string =>
  JSON.stringify(answer(JSON.parse(text) as Message), null, 2)

function manifest(name: string, address: string): string {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify({ name, game: 'specker', kind: 'web', address }))
  return file
}
const shipped = (name: string): string => join(resources.agents, 'specker', `${name}.js`)

async function run(entrants: Record<string, string>, more: object = {}) {
  const written = contestFile.parse({
    title: 'Web',
    game: 'specker',
    config,
    format: { type: 'round-robin', seats: 2 },
    seed: 'web',
    isolation: 'none',
    sample: 1,
    entrants: Object.entries(entrants).map(([name, agent]) => ({ name, agent })),
    ...more,
  })
  const report = await playContestFile({
    contest: await completeContest(written, folder, 'it', data),
    data,
    exportTo: mkdtempSync(join(folder, 'export-')),
    signal: new AbortController().signal,
    onNotice: () => undefined,
    onProgress: () => undefined,
  })
  const files = report.histories.map((each) => readFileSync('file' in each ? each.file : ''))
  for (const bytes of files) expect(verifyMatch(bytes, { games: (id) => games.get(id) })).toMatchObject({ ok: true })
  const headers = files.map((bytes) => {
    const lines = bytes.toString().trimEnd().split('\n')
    return lines.map((line) => (JSON.parse(line) as { b: HeaderBody }).b).find(({ k }) => k === 'header')!
  })
  return { report, headers }
}

describe('an agent that is a web application', () => {
  test('plays whole matches; the history says that nothing held it; they are not played again', async () => {
    const origin = await at(babyAt(inJson))
    await changeAllowList(data, { allow: [`${origin}/`], forbid: [] })
    const agents = { web: manifest('web', `${origin}/baby`), baby: shipped('baby'), greedy: shipped('greedy') }
    const { report, headers } = await run(agents)
    expect(report).toMatchObject({ state: 'finished', matches: { total: 3, played: 3, void: 0 } })
    for (const row of report.standings) expect(row).toMatchObject({ matches: 2, faults: 0 })
    // One of three matches is of scripts alone.
    expect(report.playedAgain).toMatchObject({ matches: 1, different: [] })
    for (const { seats } of headers) {
      for (const { name, elsewhere } of seats) expect(elsewhere).toBe(name === 'web' ? true : undefined)
    }
  })

  test('needs no memory where it asks for protocol 3: each request says its seat, the challenge and the config', async () => {
    const seats = new Set<number>()
    const stateless = (message: Message): Json => {
      if (message.type === 'start') return { ready: true, protocol: 3 }
      const { protocol, me, challenge, config, players } = message
      seats.add(me!)
      const start: StartMessage = {
        ...{ type: 'start', protocol, me: me!, players: players.length, config: config! },
        challenge: { ...challenge!, source },
      }
      return new Baby(start).turn(message) as unknown as Json
    }
    const origin = await at(babyAt((text) => JSON.stringify(stateless(JSON.parse(text) as Message))))
    await changeAllowList(data, { allow: [`${origin}/`], forbid: [] })
    const agents = { web: manifest('web', `${origin}/baby`), baby: shipped('baby'), greedy: shipped('greedy') }
    const { report } = await run(agents)
    expect(report).toMatchObject({ state: 'finished', matches: { total: 3, played: 3, void: 0 } })
    for (const row of report.standings) expect(row).toMatchObject({ matches: 2, faults: 0, removals: 0 })
    expect(seats.size).toBeGreaterThan(0)
  })

  test.skipIf(!hasOpenssl)('plays behind TLS, certified by whom this machine trusts (needs openssl)', async () => {
    const school = makeAuthority(folder)
    const play = babyBehind(inJson)
    const origin = await at(listenHttps(school.certify('web', ['IP:127.0.0.1']), play))
    await changeAllowList(data, { allow: [`${origin}/`], forbid: [] })
    const agents = { web: manifest('web', `${origin}/baby`), baby: shipped('baby') }
    const distrusted = await run(agents)
    expect(distrusted.report.standings.find(({ agent }) => agent === 'web')).toMatchObject({ faults: 1 })
    vi.stubEnv('SSL_CERT_FILE', school.file)
    const { report } = await run(agents, { seed: 'trusted' })
    expect(report).toMatchObject({ state: 'finished', matches: { total: 1, played: 1, void: 0 } })
    for (const row of report.standings) expect(row).toMatchObject({ matches: 1, faults: 0 })
  })

  test('plays in the concrete text of specker.cd, if it asks for that', async () => {
    const { challenge } = readChallenge(source)
    const text = textOf(challenge!)
    let spoken = 0
    const origin = await at(
      babyAt((line, answer) => {
        if (line.startsWith('{')) return 'language text\n'
        spoken += 1
        const message = text.listen(line) as unknown as Message & { readonly question: number }
        return text.say({ ...(answer(message) as object), question: message.question })
      }),
    )
    await changeAllowList(data, { allow: [origin], forbid: [] })
    const { report } = await run({ web: manifest('web', `${origin}/`), baby: shipped('baby') })
    for (const row of report.standings) expect(row).toMatchObject({ matches: 1, faults: 0 })
    expect(spoken).toBeGreaterThan(2)
  })

  test('harms nobody but itself: the contest around it comes to its end', async () => {
    const redirecting = await at(
      listenRaw((socket) =>
        socket.end('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n'),
      ),
    )
    const failing = await at(listenHttp((_, response) => response.writeHead(500).end()))
    const silent = await at(listenRaw(() => undefined))
    const greedyForMore = await at(answering(() => ({ actions: 'x'.repeat(70_000) })))
    const origins = { redirecting, failing, silent, greedyForMore }
    await changeAllowList(data, { allow: Object.values(origins), forbid: [] })
    const bad = Object.fromEntries(
      Object.entries(origins).map(([name, origin]) => [name, manifest(name, `${origin}/`)] as const),
    )
    const { report } = await run(
      { baby: shipped('baby'), greedy: shipped('greedy'), ...bad },
      { limits: { startMs: 2_000, moveMs: 2_000, messageBytes: 65_536 } },
    )
    expect(report).toMatchObject({ state: 'finished', matches: { total: 15, played: 15, void: 0 } })
    for (const { agent, faults } of report.standings) {
      if (agent === 'baby' || agent === 'greedy') expect(faults).toBe(0)
      else expect(faults).toBe(5)
    }
  })
})

describe('it may play where the class allows it', () => {
  test('anything else is one sentence, and nobody is asked', async () => {
    let visits = 0
    const origin = await at(answering(() => (visits++, { ready: true })))
    const agents = { web: manifest('web', `${origin}/anna`), baby: shipped('baby') }
    await expect(run(agents)).rejects.toThrow(refusal('address-not-allowed', '"web"', `${origin}/anna`))
    await changeAllowList(data, { allow: [`${origin}/berta`, 'http://127.0.0.1:1/anna'], forbid: [] })
    await expect(run(agents)).rejects.toThrow(refusal('address-not-allowed', '"web"', `${origin}/anna`))
    expect(visits).toBe(0)
  })

  test('an address that is taken off the list is refused again', async () => {
    const origin = await at(babyAt(inJson))
    const agents = { web: manifest('web', `${origin}/`), baby: shipped('baby') }
    expect(await changeAllowList(data, { allow: [origin], forbid: [] })).toEqual([origin])
    await run(agents)
    expect(await changeAllowList(data, { allow: [], forbid: [origin] })).toEqual([])
    expect(await allowedAddresses(data)).toEqual([])
    await expect(run(agents)).rejects.toThrow(refusal('address-not-allowed', '"web"', origin))
  })

  test('an invalid address cannot be allowed', async () => {
    const allow = ['http://127.0.0.1/a/../b']
    await expect(changeAllowList(data, { allow, forbid: [] })).rejects.toThrow(
      refusal('address-invalid', 'http://127.0.0.1/a/../b'),
    )
  })

  test('agent check tells in a sentence', async () => {
    const origin = await at(babyAt(inJson))
    const failing = await at(listenHttp((_, response) => response.writeHead(500).end()))
    const check = (address: string) =>
      checkAgent({
        file: manifest('web', address),
        game: 'specker',
        config,
        data,
        isolation: 'none',
        signal: new AbortController().signal,
        onNotice: () => undefined,
      })
    await expect(check(`${origin}/`)).rejects.toThrow(refusal('address-not-allowed', origin))
    await changeAllowList(data, { allow: [origin, failing], forbid: [] })
    expect(await check(`${origin}/`)).toMatchObject({ ok: true, text: expect.stringMatching(/to the end/) })
    expect(await check(`${failing}/`)).toMatchObject({
      ok: false,
      text: "The agent's web application answered with the status 500.",
    })
  })
})
