import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readAgent, storeAgent } from '../../../main/administrator/classroom/agents.ts'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import type { DecisionWish } from '../../../main/contract/contests/decisions.ts'
import type { Remedy } from '../../../main/contract/contests/rulings.ts'
import { seedOfMatch } from '../../../main/histories/derived-seeds.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { addSubmission } from '../../../main/services/agents/hand-in.ts'
import { openContests, type Contests } from '../../../main/services/contests/kept/class-contests.ts'
import { addRerun } from '../../../main/services/contests/kept/rerun.ts'
import { withRecord } from '../../../main/services/packages/component-files.ts'
import { games } from '../../../main/referees/games.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'
import { workerIn } from './format-toy.ts'
import { addMatch } from './kept-match.ts'

let data = ''
let home: ClassFolder
let contests: Contests
const open = async (): Promise<void> => {
  home = await openClassFolder(data)
  contests = openContests(home)
}
beforeEach(async () => {
  data = temporaryFolder('decisions')
  await open()
})
afterEach(() => home.close())

async function add(format: object, agent = 'a'.repeat(64)): Promise<string> {
  const entrants = ['anna', 'bea', 'carl', 'dora'].map((name) => ({ name, agent }))
  const description = contestDescription.parse({ title: 'Week 1', game: 'haggle', format, seed: 'x', entrants })
  return (await contests.add(description)).id
}
const swiss = { type: 'swiss', rounds: 3 }
const withdraw = (entrant: string): DecisionWish => ({ type: 'withdraw', entrant })

/** The decisions in the histories of a contest, as anybody with the public key reads them. */
async function recorded(id: string): Promise<readonly string[]> {
  const found: string[] = []
  const scan = await scanContest({
    ...{ dir: contests.folder(id), contest: id, key: home.key.publicKey },
    keeper: {
      ...{ finished: { has: () => false } as never, finish: () => undefined, voidAttempt: () => undefined },
      decide: ({ decision }) => void found.push(decision.type === 'withdraw' ? decision.entrant : decision.type),
    },
  })
  expect(scan.ok).toBe(true)
  return found
}

const addFinished = (id: string, match: number, names: readonly string[]): Promise<void> =>
  addMatch(home, contests.folder(id), { contest: id, match, names, game: 'haggle' })

const holding = async (id: string): Promise<readonly string[]> =>
  (await contests.record(id)).decisions.flatMap(({ decision }) =>
    decision.type === 'withdraw' ? decision.entrant : [],
  )

test('a decision is in the histories, from which a class that has lost it has it again', async () => {
  const id = await add(swiss)
  await contests.decide(id, withdraw('bea'))
  await contests.decide(id, { type: 'pair', round: 1, tables: [['carl', 'anna']], byes: ['dora'] })
  expect(await recorded(id)).toEqual(['bea', 'pair'])
  await home.change((content) => {
    for (const contest of content.contests) delete contest.decisions
  })
  contests = openContests(home)
  expect(await holding(id)).toEqual(['bea'])
  expect(contests.entry(id).decisions).toHaveLength(2)
  expect((await contests.record(id)).stage(0)!.at(0).entrants).toEqual([2, 0])
})

test('a decision after a match that the record of a stopped run lacks stands after that match', async () => {
  const id = await add(swiss)
  await contests.record(id)
  await addFinished(id, 0, ['anna', 'bea'])
  await contests.decide(id, withdraw('bea'))
  expect(contests.entry(id).decisions).toMatchObject([{ stage: 1, matches: 1 }])
  expect(await holding(id)).toEqual(['bea'])
  contests = openContests(home)
  expect(await holding(id)).toEqual(['bea'])
})

test('a process that is killed between the decision and its record has decided', async () => {
  const id = await add(swiss)
  await contests.decide(id, withdraw('bea'))
  for (const file of readdirSync(contests.folder(id)))
    if (file.startsWith('segment')) rmSync(`${contests.folder(id)}/${file}`)
  contests = openContests(home)
  expect(await holding(id)).toEqual(['bea'])
  await contests.decide(id, withdraw('carl'))
  expect(await recorded(id)).toEqual(['bea', 'carl'])
  expect(await holding(id)).toEqual(['bea', 'carl'])
})

test('a format says what it allows; the last entrant stays', async () => {
  const [single, ladder, knockout] = [
    await add({ type: 'single' }),
    await add({ type: 'ladder' }),
    await add({ type: 'knockout' }),
  ]
  expect(await contests.possibleDecisions(single)).toEqual({ withdraw: false, enter: false, pair: null, accept: false })
  expect(await contests.possibleDecisions(ladder)).toEqual({ withdraw: true, enter: true, pair: null, accept: false })
  expect(await contests.possibleDecisions(knockout)).toEqual({
    withdraw: true,
    enter: false,
    pair: null,
    accept: false,
  })
  const refused = { code: 'decision-refused' }
  await expect(contests.decide(single, withdraw('anna'))).rejects.toMatchObject(refused)
  await expect(contests.decide(knockout, { type: 'enter', agent: 'a'.repeat(64) })).rejects.toMatchObject(refused)
  await expect(contests.decide(knockout, { type: 'pair', round: 1, tables: [], byes: [] })).rejects.toMatchObject(
    refused,
  )
  const pairs = await add({ type: 'round-robin', until: { top: 1, confidence: 0.9 } })
  await expect(contests.decide(pairs, withdraw('anna'))).rejects.toMatchObject(refused)
  const four = await add(swiss)
  const byes = ['anna', 'bea', 'carl', 'dora']
  await expect(contests.decide(four, { type: 'pair', round: 1, tables: [], byes })).rejects.toMatchObject(refused)
  const last = await add(swiss)
  for (const name of ['anna', 'bea', 'carl']) await contests.decide(last, withdraw(name))
  await expect(contests.decide(last, withdraw('dora'))).rejects.toMatchObject(refused)
  const { done, total } = await contests.record(last)
  expect({ done, total }).toEqual({ done: 0, total: 0 })
})

/** Plays a contest until `most` matches are over; agents in this process say nothing that the game understands. */
function play(id: string, most = Infinity) {
  const stop = new AbortController()
  return contests.run(id, {
    ...{ workers: 1, lanes: 1, isolation: 'none', signal: stop.signal },
    launch() {
      const worker = workerIn(games.get('haggle')!, () => null)
      let begun = 0
      // It is so fast that all matches could be over before the first is on disk.
      const send: typeof worker.send = (command) => {
        if (command.type !== 'play' || ++begun <= most + 2) worker.send(command)
      }
      return { ...worker, send }
    },
    onNotice: () => undefined,
    onProgress({ done }) {
      if (done >= most) stop.abort()
    },
  })
}

test('a decision during a contest stands after the same matches when the contest is repeated', async () => {
  const id = await add({ type: 'round-robin', seats: 2, repeats: 3 }, await handIn())
  expect((await play(id, 3)).state).toBe('stopped')
  await contests.decide(id, withdraw('bea'))
  // Matches that ended while it was being stopped are in the histories.
  expect(contests.entry(id).decisions![0]!.matches).toBeGreaterThanOrEqual(3)
  const { record: first } = await play(id)
  await contests.settle(id, 'ended')
  const again = await addRerun(home, contests, id)
  const { state, record } = await play(again.id)
  expect(state).toBe('finished')
  expect([...record.finished.values()].map(({ match }) => match)).toEqual(
    [...first.finished.values()].map(({ match }) => match),
  )
  expect(record.tables()).toEqual(first.tables())
  expect(contests.entry(again.id).rerun?.compared).toEqual({ matches: record.finished.size, different: [] })
})

test('a match that a ruling annuls is played again with its own seed, and the old lines stay', async () => {
  const id = await add({ type: 'round-robin', seats: 2, repeats: 3 }, await handIn())
  await play(id)
  await contests.settle(id, 'ended')
  const text = (): string =>
    readdirSync(contests.folder(id))
      .sort()
      .map((name) => readFileSync(join(contests.folder(id), name), 'latin1'))
      .join('')
  const before = text()
  const remedies: Remedy[] = [{ type: 'annul', match: 2, playAgain: true }]
  const ruling = { case: 'case-1', entry: 'a'.repeat(64), at: '2026-11-28T01:00:00.000Z', remedies }
  await contests.countRuling(id, ruling)
  expect((await contests.record(id)).toPlayAgain).toEqual([2])
  const { state, record, playedAgain } = await play(id)
  // Nothing but this match is played, not even a sample.
  expect([state, record.finished.size, record.done, record.total, playedAgain]).toEqual(['finished', 19, 19, 19, null])
  expect(record.replayed).toEqual([{ match: 2, as: 18 }])
  expect(text().startsWith(before)).toBe(true)
  const [old, again] = [record.finished.get(2)!, record.finished.get(18)!]
  expect(again.entrants).toEqual(old.entrants)
  expect(text()).toContain(seedOfMatch('x', 18, contests.entry(id).seeds ?? 'sha256'))
  // From the files alone, by anybody.
  const shown = await run('contest', 'standings', id, '--data', data, '--json')
  expect(JSON.parse(shown.stdout)).toMatchObject({ ruled: { replayed: [{ match: 2, as: 18 }], toPlayAgain: [] } })
  // Reversed, the first one counts again, and nothing is left to play.
  await contests.countRuling(id, { ...ruling, entry: 'b'.repeat(64), remedies: [], reverses: 1 })
  const reversed = await contests.record(id)
  expect([reversed.done, reversed.total, reversed.replayed]).toEqual([19, 19, []])
  expect(reversed.standings().map(({ points }) => points)).toEqual(
    reversed.asPlayed.standings().map(({ points }) => points),
  )
})

test('an agent enters late before the schedule is over, and not once a ruling has matches played again', async () => {
  const agent = await handIn()
  const id = await add({ type: 'ladder' }, agent)
  await play(id)
  const { total } = await contests.record(id)
  const enter = (name: string): DecisionWish => ({ type: 'enter', agent, name })
  const before = await contests.consequences(id, enter('eve'))
  expect(before.length).toBeGreaterThan(0)
  const remedies: Remedy[] = [{ type: 'annul', match: 0, playAgain: true }]
  await contests.countRuling(id, { case: 'case-1', entry: 'a'.repeat(64), at: '2026-11-28T01:00:00.000Z', remedies })
  await play(id)
  expect((await contests.possibleDecisions(id)).enter).toBe(false)
  await expect(contests.decide(id, enter('eve'))).rejects.toMatchObject({ code: 'entry-after-replays' })
  contests = openContests(home)
  const { replayed, total: after } = await contests.record(id)
  expect([replayed, after]).toEqual([[{ match: 0, as: total }], total + 1])
})

test('whoever has played half of the schedule forfeits the rest, also if rulings have matches played again', async () => {
  const id = await add({ type: 'round-robin', seats: 2, repeats: 2 })
  const names = ['anna', 'bea', 'carl', 'dora']
  const ofBea = [...(await contests.record(id)).stage(0)!].filter(({ entrants }) => entrants.includes(1)).slice(0, 3)
  for (const { match, entrants } of ofBea)
    await addFinished(
      id,
      match,
      entrants.map((at) => names[at]!),
    )
  contests = openContests(home)
  const remedies = ofBea.map(({ match }): Remedy => ({ type: 'annul', match, playAgain: true }))
  await contests.countRuling(id, { case: 'case-1', entry: 'a'.repeat(64), at: '2026-11-28T01:00:00.000Z', remedies })
  await contests.decide(id, withdraw('bea'))
  expect(contests.entry(id).decisions!.at(-1)).toMatchObject({ decision: { treatment: 'forfeited' } })
})

test('a repeated contest that goes differently before a decision can go on without it, which is recorded', async () => {
  const id = await add({ type: 'round-robin', seats: 2, repeats: 3 }, await handIn())
  await play(id, 3)
  await contests.decide(id, withdraw('bea'))
  await play(id)
  await contests.settle(id, 'ended')
  const again = (await addRerun(home, contests, id)).id
  const accept: DecisionWish = { type: 'accept', reason: 'a machine failed' }
  await expect(contests.decide(again, accept)).rejects.toMatchObject({ code: 'decision-refused' })
  expect((await contests.possibleDecisions(again)).accept).toBe(false)
  // As if a match had been void in the meantime, so that there is one less at the place of the decision.
  await home.change(({ contests: all }) => {
    const entry = all.find((each) => each.id === again)!
    entry.decisions = entry.decisions!.map((placed) => ({ ...placed, matches: placed.matches + 1 }))
  })
  contests = openContests(home)
  await expect(play(again)).rejects.toMatchObject({ code: 'repetition-differs' })
  expect(await contests.possibleDecisions(again)).toEqual({ withdraw: false, enter: false, pair: null, accept: true })
  await expect(contests.decide(again, withdraw('anna'))).rejects.toMatchObject({ code: 'decision-refused' })
  expect((await contests.decide(again, accept)).join(' ')).toContain(`without decision 1 about that one`)
  expect(await recorded(again)).toEqual(['accept'])
  const { state, record } = await play(again)
  expect({ state, played: record.finished.size }).toEqual({ state: 'finished', played: 18 })
  expect(record.tables()['By the educator']).toMatchObject([
    { decision: `went differently than ${id}`, reason: 'a machine failed' },
  ])
  expect(contests.entry(again).rerun?.compared?.matches).toBeGreaterThan(0)
  // A class that has lost it reads it in the histories.
  await home.change(({ contests: all }) => void delete all.find((each) => each.id === again)!.decisions)
  contests = openContests(home)
  expect((await contests.record(again)).decisions).toMatchObject([{ decision: { type: 'accept', of: id, left: 1 } }])
})

test('a contest that repeats no other has nothing to accept', async () => {
  const id = await add(swiss)
  await expect(contests.decide(id, { type: 'accept' })).rejects.toMatchObject({ code: 'decision-refused' })
})

test('components are noted again when a contest or a late entry is known from its histories alone', async () => {
  const use = { name: 'shared', hash: 'c'.repeat(64) }
  const script = (text: string) => ({ kind: 'script' as const, bytes: withRecord([use], Buffer.from(text)) })
  const { agent } = await storeAgent(data, script('// early'))
  const { agent: late } = await storeAgent(data, script('// late'))
  const manifest = { name: 'late', game: 'haggle', kind: 'script' } as const
  await home.change(({ agents }) => {
    agents.push({ hash: late, manifest, submitted: '2026-01-01T00:00:00Z', smoke: null })
  })
  const entrants = [
    { name: 'anna', agent },
    { name: 'bea', agent: 'a'.repeat(64) },
  ]
  const { id } = await contests.add(
    contestDescription.parse({
      ...{ title: 'Shares', game: 'haggle', format: swiss, seed: 'x', entrants, componentShare: 10 },
    }),
  )
  await contests.decide(id, { type: 'enter', agent: late })
  const both = [agent, late].map((each) => ({ agent: each, uses: [use] }))
  expect(contests.entry(id).components).toEqual(both)
  await home.change(({ contests: [entry] }) => {
    entry!.description = { ...entry!.description, entrants }
    delete entry!.decisions
    entry!.components = both.slice(0, 1)
  })
  contests = openContests(home)
  await contests.record(id)
  expect(contests.entry(id).components).toEqual(both)
  await home.change(({ contests: [entry] }) => {
    Object.assign(entry!, { rebuilt: 'histories', state: 'cancelled' })
    delete entry!.components
  })
  await contests.settleRebuilt()
  expect(contests.entry(id).components).toEqual(both)
})

/** An agent of the class. */
async function handIn(): Promise<string> {
  const source = { file: { fileName: 'emil.js', content: Buffer.from('// emil') }, game: 'haggle', belonging: {} }
  await addSubmission(home, { ...source, becomes: { what: 'agent', name: 'emil' }, at: 0 })
  return home.content.agents.find(({ manifest }) => manifest.name === 'emil')!.hash
}

test('nobody enters late where a contest with one entrant more could not be played', async () => {
  const agent = await handIn()
  const enter: DecisionWish = { type: 'enter', agent }
  const big = await add({ type: 'ladder', repeats: 4_000 })
  await home.change(({ contests: [entry] }) => {
    const { entrants } = entry!.description
    const more = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `more ${at}`, agent: entrants[0]!.agent }))
    entry!.description = { ...entry!.description, entrants: [...entrants, ...more(220)] }
  })
  await expect(contests.consequences(big, enter)).rejects.toMatchObject({ code: 'schedule-invalid' })
  const many = await add({ type: 'ladder', repeats: 1 })
  await home.change(({ contests: all }) => {
    const entry = all.find(({ id }) => id === many)!
    const entrants = Array.from({ length: 10_000 }, (_, at) => ({ name: `more ${at}`, agent: 'a'.repeat(64) }))
    entry.description = { ...entry.description, entrants }
  })
  await expect(contests.consequences(many, enter)).rejects.toMatchObject({ code: 'limit-reached' })
})

test('a decision that is refused because the contest could not go on does not hold', async () => {
  const id = await add(swiss)
  await contests.record(id)
  await home.change(({ contests: [entry] }) => {
    entry!.description = { ...entry!.description, config: { nonsense: true } }
  })
  await expect(contests.decide(id, withdraw('bea'))).rejects.toMatchObject({ code: 'settings-invalid' })
  expect(contests.entry(id).decisions).toBeUndefined()
})

test('a contest that was rebuilt with a late entry is recognized by its file', async () => {
  const id = await add(swiss)
  const { description } = contests.entry(id)
  await contests.decide(id, { type: 'enter', agent: await handIn() })
  expect(contests.entry(id).description.entrants).toHaveLength(5)
  await home.change(({ contests: [entry] }) => {
    Object.assign(entry!, { rebuilt: 'histories', state: 'cancelled' })
  })
  const check = () => contests.checkNotRebuilt(description)
  expect(check).toThrow(expect.objectContaining({ code: 'seed-lost' }) as Error)
})

test('the matches of an entrant are counted without the house agents that fill tables', async () => {
  const id = await add({ type: 'pools', seats: 3, games: 3, house: 1 })
  expect((await contests.consequences(id, withdraw('anna'))).join(' ')).toContain('has played 0 of its 3 matches')
})

test('the commands say the consequences, and decide with --yes', async () => {
  const id = await add(swiss)
  await home.close()
  const verb = (...given: readonly string[]) => run('contest', ...given, '--data', data)
  expect((await verb('withdraw', id, 'anna')).stdout).toMatch(/not paired any more[^]*Nothing was decided/)
  expect(await verb('withdraw', id, 'anna', '--reason', 'ill', '--yes')).toMatchObject({ code: 0 })
  expect(JSON.parse((await verb('pair', id)).stdout)).toMatchObject({ byes: [expect.any(String)] })
  expect(await verb('withdraw', id, 'anna', '--yes')).toMatchObject({ code: 2 })
  // An agent that ships with the game need not be in the class.
  expect((await verb('enter', id, 'baby')).stdout).toContain('plays from round 1 on')
  expect(await verb('enter', id, 'baby', '--yes')).toMatchObject({ code: 0 })
  expect(await verb('enter', id, 'bayb', '--yes')).toMatchObject({ code: 2 })
  const file = `${data}/round.json`
  writeFileSync(file, (await verb('pair', id)).stdout)
  // Without a round, it is the next one.
  expect(await verb('pair', id, file, '--round', '2', '--yes')).toMatchObject({ code: 2 })
  expect(await verb('pair', id, file, '--yes')).toMatchObject({ code: 0 })
  expect(await verb('accept', id)).toMatchObject({ code: 2 })
  await open()
  expect(contests.entry(id).decisions).toMatchObject([
    { stage: 0, matches: 0, decision: { reason: 'ill' } },
    { decision: { type: 'enter', entrant: { name: 'baby' } } },
    { decision: { type: 'pair', round: 1 } },
  ])
  const { agent } = contests.entry(id).description.entrants.at(-1)!
  expect((await readAgent(data, agent)).kind).toBe('script')
})
