import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../../main/contract/limits.ts'
import { canonicalText, hashOf, sha256 } from '../../../main/histories/canonical.ts'
import { linkHash, chainLine, tagOf } from '../../../main/histories/chain.ts'
import { checkRun } from '../../../main/worker/check-run.ts'
import type { CheckedRun, ContestSetup, MatchJob } from '../../../main/worker/protocol.ts'
import { toy, toyWorker } from '../../unit/contests/format-toy.ts'

const agents = ['3', '8'].map((number) => ({ name: `says ${number}`, agent: sha256(number) }))
const setup: ContestSetup = {
  ...{ contest: 'pods-1', contestHash: sha256('description'), config: {}, configHash: hashOf({}), game: toy.id },
  ...{ limits: limits.parse({}), isolation: 'none', clock: 'frozen', seeds: 'hmac', lanes: 1 },
}
const job: MatchJob = {
  ...{ run: 7, match: 4, attempt: 1, seed: sha256('seed'), nonce: sha256('nonce'), entrants: agents, fresh: false },
}

/** The lines that an honest worker sends. */
let honest = ''
beforeAll(async () => {
  const worker = toyWorker()
  honest = await new Promise<string>((resolve) => {
    let text = ''
    worker.onReport((report) => {
      if (report.type === 'lines') text += report.text
      if (report.type === 'finished') resolve(text)
    })
    worker.send({ type: 'contest', setup })
    for (const [at, { agent }] of agents.entries()) worker.send({ type: 'agent', agent, code: ['3', '8'][at]! })
    worker.send({ type: 'play', job })
  })
})

interface Body {
  [member: string]: unknown
}

/** The honest lines with some bodies changed and the chain computed anew, as a worker that lies would do it. */
function forged(change: (body: Body) => unknown, keep: (body: Body) => boolean = () => true): string {
  const bodies = honest
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly b: Body }).b)
  for (const body of bodies) change(body)
  let head = ''
  return bodies
    .filter(keep)
    .map((body, n) => {
      const text = canonicalText({ ...body, n })
      head = linkHash(head, tagOf(String(body.k)), sha256(text))
      return chainLine(text, head)
    })
    .join('')
}

function check(text: string, of: MatchJob = job): CheckedRun {
  return checkRun(text, setup, of, toy)
}

describe('a history that comes from another machine', () => {
  test('is accepted if it is that of the match, and all that is told of it comes from its lines', () => {
    expect(forged(() => undefined)).toBe(honest)
    expect(check(honest)).toMatchObject({
      type: 'finished',
      finished: { run: 7, match: 4, attempt: 1, entrants: ['says 3', 'says 8'], faults: [0, 0], printed: [0, 0] },
    })
  })

  test.each([
    ['another winner', 'outcome', (body: Body): unknown => swapRanks(body), /different outcome/],
    [
      'another answer',
      'input',
      (body: Body): unknown => (body.input = { seat: 0, number: 9 }),
      /different|refuse|not end/,
    ],
    ['another state', 'outcome', (body: Body): unknown => (body.state = sha256('x')), /different state/],
    ['another seed', 'outcome', (body: Body): unknown => (body.seed = sha256('x')), /its end is not that of the match/],
    ['another commitment', 'header', (body: Body): unknown => (body.commitment = sha256('x')), /another commitment/],
    ['another agent', 'header', (body: Body): unknown => swapSeats(body), /another seats/],
    [
      'easier limits',
      'header',
      (body: Body): unknown => (body.limits = { ...setup.limits, moveMs: 1 }),
      /another limits/,
    ],
    ['other seeds for its players', 'header', (body: Body): unknown => delete body.seeds, /another seeds/],
    ['another match', 'header', (body: Body): unknown => (body.match = 5), /another match/],
    ['another run', '', (body: Body): unknown => (body.r = 8), /of another run/],
    ['another version of the rules', 'header', (body: Body): unknown => (body.version = 2), /another version/],
  ] as const)('is refused with %s, although its chain is whole', (_, kind, change, message) => {
    const checked = check(forged((body) => (kind === '' || body.k === kind) && change(body)))
    expect(checked).toMatchObject({ type: 'bad', message: expect.stringMatching(message) as string })
  })

  test.each([
    ['nothing', '', /no end|not whole/],
    ['no JSON', 'x\n', /line 1/],
    ['half a line', '{"b":', /incomplete/],
  ])('is refused if it is %s', (_, text, message) => {
    expect(check(text)).toMatchObject({ type: 'bad', message: expect.stringMatching(message) as string })
  })

  test('is refused without its end, with a second end, without its header, or with a byte changed', () => {
    expect(
      check(
        forged(
          () => undefined,
          ({ k }) => k !== 'outcome',
        ),
      ),
    ).toMatchObject({ type: 'bad' })
    expect(
      check(
        forged(
          () => undefined,
          ({ k }) => k !== 'header',
        ),
      ),
    ).toMatchObject({ type: 'bad' })
    expect(check(honest + honest.trimEnd().split('\n').at(-1)! + '\n')).toMatchObject({ type: 'bad' })
    for (let at = 0; at < honest.length; at += 97) {
      const changed = honest.slice(0, at) + (honest[at] === '1' ? '2' : '1') + honest.slice(at + 1)
      if (changed !== honest) expect(check(changed), `byte ${at}`).toMatchObject({ type: 'bad' })
    }
  })

  test('is refused for another job', () => {
    expect(check(honest, { ...job, nonce: sha256('other') })).toMatchObject({ type: 'bad' })
    expect(check(honest, { ...job, entrants: agents.toReversed() })).toMatchObject({ type: 'bad' })
  })
})

function swapRanks(body: Body): void {
  const { places } = body.outcome as { places: { rank: number }[] }
  for (const place of places) place.rank = 3 - place.rank
}

function swapSeats(body: Body): void {
  const [one, other] = body.seats as { agent: string }[]
  ;[one!.agent, other!.agent] = [other!.agent, one!.agent]
}
