import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, describe, expect, test, vi } from 'vitest'
import graphColouring from '../../../grammars/challenges/graph-colouring.challenge?raw'
import knapsack from '../../../grammars/challenges/knapsack.challenge?raw'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { toNumber } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { Play, PlayLine } from '../../../main/contract/procedures/human-match.ts'
import type { Action } from '../../../main/referees/specker/messages.ts'
import { previewBundle } from '../../../main/referees/specker/player-view.ts'
import { commitmentOf } from '../../../main/referees/specker/secrets.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { removedMessage, startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import {
  amountOf,
  bundleOf,
  emptyDraft,
  lowerAll,
  type Draft,
  createVault,
} from '../../../renderer/games/specker/play/draft.ts'
import { dutiesOf, roundWords, waitingFor } from '../../../renderer/games/specker/play/duties.ts'
import SpeckerPlay from '../../../renderer/games/specker/play/play.svelte'
import { sessionOf } from '../../../renderer/games/specker/play/session.ts'
import { readText } from '../../../renderer/games/specker/play/texts.ts'
import { saying } from '../../refusal.ts'
import { myciel3 } from '../challenges/well-known.ts'
import { find } from '../../../renderer/challenge-worker/find.ts'
import { searchInBackground } from '../../../renderer/games/specker/play/background-search.ts'
import { lookFor } from '../../../renderer/challenge-worker/worker-client.ts'

vi.mock(import('../../../renderer/games/specker/play/background-search.ts'), () => ({
  searchInBackground: vi.fn(() => new Promise<string>(() => undefined)),
}))
vi.mock(import('../../../renderer/challenge-worker/worker-client.ts'), async (original) => ({
  ...(await original()),
  lookFor: vi.fn(),
}))

afterEach(() => {
  cleanup()
  vi.resetAllMocks()
  sessionStorage.clear()
})

const challenge = readChallenge(knapsack).challenge!
const e = (energy: number): number => Math.round(energy * 1e9)
const weights = (...list: number[]): Json => ({ weights: list })
const sack: Json = {
  capacity: 6,
  items: [
    { weight: 4, worth: 5 },
    { weight: 3, worth: 3 },
    { weight: 3, worth: 3 },
  ],
}
const pack = (...list: number[]): Json => ({ packed: list })
const offer = (price: number, more: Partial<Extract<Action, { type: 'offer' }>> = {}): Action => {
  return { type: 'offer', predicate: weights(3, 4), price: e(price), ...more }
}

/** A match of the real rules, in which a person has a seat: they get the messages of the referee. */
function table(settings: Record<string, Json> = {}, me = 0, players = 2) {
  const config = specker.config.parse({ challenge: knapsack, maxTurns: 3, ...settings })
  const seats = specker.seats(config, players)
  const state = specker.rules.initial(config, typeof seats === 'string' ? [] : seats, '0'.repeat(64))
  const dialogue: PlayLine[] = [{ from: 'table', value: startMessage(state, me) }]
  let asked = 1
  const ask = (): void => {
    if (state.turn !== me) return
    asked += 1
    dialogue.push({ from: 'table', value: JSON.parse(JSON.stringify(turnMessage(state, me))) as Json })
  }
  ask()
  return {
    state,
    act(seat: number, ...actions: Action[]): void {
      if (seat === me) dialogue.push({ from: 'person', value: { actions } })
      expect(specker.rules.apply(state, { type: 'turn', seat, actions })).toBeNull()
      const removal = state.removals.find((one) => one.seat === me)
      if (removal !== undefined) dialogue.push({ from: 'table', value: removedMessage(state, removal) })
      ask()
    },
    play: (): Play => ({
      contest: 'human-against-baby-1',
      game: 'specker',
      seat: me,
      names: ['Human', 'baby', 'greedy'].slice(0, players),
      dialogue: [...dialogue],
      question: state.turn === me ? { number: asked, msLeft: 60_000 } : null,
      questions: [],
      result: null,
    }),
    session: () => sessionOf({ dialogue })!,
  }
}

const draft = (more: Partial<Draft>): Draft => ({ ...emptyDraft, ...more })
const noVault = createVault('human-1', null)

describe('what stands in fields', () => {
  test.each([
    [0, 0],
    [1, 1_000_000_000],
    [0.3, 300_000_000],
    [0.123456789, 123_456_789],
  ])('%d energy is an amount', (typed, units) => expect(amountOf(typed)).toEqual({ ok: true, units }))
  test.each([null, -0.1, 1.000000001, 0.1234567891, Number.NaN])('%s is invalid', (typed) => {
    expect(amountOf(typed).ok).toBe(false)
  })
  test('a text is read, and where it goes wrong is said', () => {
    expect(readText(challenge, '', 'Predicate')).toBeNull()
    expect(readText(challenge, 'weights 3 4', 'Predicate')).toEqual({ ok: true, value: weights(3, 4) })
    const colouring = readChallenge(graphColouring).challenge!
    const graph = { ok: true, value: { vertices: 2, edges: [{ a: 1, b: 2 }] } }
    expect(readText(colouring, 'p edge 2 1\ne 2 1\n', 'Instance')).toEqual(graph)
    expect(readText(colouring, 'p edge 2 1\ne 2 1\n', 'Solution')).toMatchObject({ ok: false })
    expect(readText(challenge, 'p edge 2 1\ne 2 1\n', 'Instance')).toMatchObject({ ok: false })
    expect(readText(challenge, 'weights 3\n x', 'Predicate')).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^Line 2, column 2: /) as string,
    })
  })
})

describe('a bundle', () => {
  test('has what is written, in the order in which nothing stands in the way of anything', () => {
    const match = table({ variant: 'classic', init: e(1) })
    match.act(0, offer(0.5))
    match.act(1, { type: 'accept', challenge: 0 }, offer(0.9, { predicate: weights(1) }))
    match.act(
      0,
      { type: 'deliver', challenge: 0, instance: sack },
      { type: 'accept', challenge: 1 },
      offer(0.4, { predicate: weights(2) }),
    )
    match.act(
      1,
      { type: 'solve', challenge: 0, solution: pack(2) },
      { type: 'deliver', challenge: 1, instance: { capacity: 1, items: [{ weight: 1, worth: 4 }] } },
      { type: 'accept', challenge: 2 },
      offer(0.8),
    )
    const known = match.session().known!
    expect([known.turn.toSolve, known.turn.toDeliver].map((due) => due.map((one) => one.challenge))).toEqual([[1], [2]])
    const { actions, problems } = bundleOf(
      challenge,
      known,
      draft({
        offers: [{ type: 'offer', predicate: weights(5), price: e(0.2) }],
        bought: [3],
        lowered: { 3: null },
        materials: { 2: { instance: 'sack 3  2 for 7', secret: '', nonce: '' } },
        solutions: { 1: 'pack 1' },
      }),
      noVault,
    )
    expect(problems).toEqual([])
    // The price of challenge 3 can only be paid with what challenge 1 brings: the solution goes first.
    expect(actions.map(({ type }) => type)).toEqual(['solve', 'deliver', 'accept', 'offer'])
    expect(actions[0]).toEqual({ type: 'solve', challenge: 1, solution: pack(1) })
    expect(previewBundle(known, actions).violation).toBeNull()
    expect(previewBundle(known, [actions[2]!, actions[0]!, actions[1]!, actions[3]!]).violation).toMatchObject({
      rule: 'positive-account',
    })
  })

  test('is told which parts of a draft are not actions', () => {
    const match = table({}, 1)
    match.act(0, offer(0.5), offer(0.4, { predicate: weights(1) }))
    const { known } = match.session()
    const of = (more: Partial<Draft>) => bundleOf(challenge, known!, draft(more), noVault)
    expect(of({ lowered: { 0: 0.49, 1: null } })).toMatchObject({
      actions: [{ type: 'reoffer', challenge: 0, price: e(0.49) }],
      problems: [],
    })
    expect(of({ lowered: { 0: 2 } })).toMatchObject({
      actions: [],
      problems: [expect.stringMatching(/new price of challenge 0/) as string],
    })
    match.act(1, { type: 'accept', challenge: 1 }, offer(0.1))
    match.act(
      0,
      { type: 'deliver', challenge: 1, instance: { capacity: 1, items: [{ weight: 1, worth: 4 }] } },
      { type: 'accept', challenge: 2 },
      offer(0.3, { predicate: weights(7) }),
    )
    const later = bundleOf(
      challenge,
      match.session().known!,
      draft({
        solutions: { 1: 'pack one' },
        materials: { 2: { instance: 'sack', secret: '', nonce: '' } },
      }),
      noVault,
    )
    expect(later.actions).toEqual([])
    expect(later.problems).toEqual([
      expect.stringMatching(/solution of challenge 1 cannot be read\. Line 1, column 6/),
      expect.stringMatching(/challenge 2: The raw material cannot be read\. Line 1/),
    ])
  })

  test('lowers everything that can be lowered by what rule 5 asks, or to nothing', () => {
    const match = table({ mindec: e(0.05) }, 1)
    match.act(0, offer(0.5), offer(0.03, { predicate: weights(1) }), offer(0, { predicate: weights(2) }))
    const known = match.session().known!
    const lowered = lowerAll(known)
    expect(lowered).toEqual({ 0: 0.45, 1: 0 })
    const all = bundleOf(challenge, known, draft({ lowered }), noVault).actions
    const one = bundleOf(challenge, known, draft({ lowered: { 0: 0.45 } }), noVault).actions
    const name = (seat: number): string => `seat ${seat}`
    for (const [actions, rule] of [
      [[], 'accept-or-reoffer'],
      [one, 'accept-or-reoffer'],
      [all, 'new-offer'],
      [[{ type: 'accept', challenge: 2 }], 'new-offer'],
    ] as [Action[], string][]) {
      // The form announces the rule that is then applied.
      expect(previewBundle(known, actions).violation?.rule).toBe(rule)
      const duty = dutiesOf(known, actions, name).find((each) => each.rule === 2)!
      expect(duty.text).toMatch(/3 challenges.*every one that costs something by at least 0\.05, or to 0/)
      expect(duty.done).toBe(rule !== 'accept-or-reoffer')
    }
    expect(dutiesOf(known, [offer(0.1)], name).find((each) => each.rule === 3)).toMatchObject({ done: true })
  })

  test('of a secret sale commits to the solution, and reveals it when it has been answered', () => {
    const storage = new Map<string, string>()
    const kept = {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
    }
    const match = table({ variant: 'secret' })
    match.act(0, offer(0.5))
    match.act(1, { type: 'accept', challenge: 0 }, offer(0.9, { predicate: weights(1) }))
    const nonce = 'ab'.repeat(32)
    const material = { instance: 'sack 6  4 for 5  3 for 3  3 for 3', secret: 'pack 1', nonce }
    const of = (more: Partial<typeof material>) => {
      const made = draft({ materials: { 0: { ...material, ...more } }, bought: [1] })
      return bundleOf(challenge, match.session().known!, made, createVault('human-1', kept))
    }
    expect(of({ secret: '' }).problems).toEqual([expect.stringMatching(/needs a secret solution/)])
    expect(of({ secret: 'pack 1 2' }).problems).toEqual([expect.stringMatching(/items weigh 7/)])
    expect(of({ instance: 'sack 6  5 for 5' }).problems).toEqual([expect.stringMatching(/Item 1 weighs 5/)])
    const sold = of({})
    expect(sold.actions[0]).toEqual({
      type: 'deliver',
      challenge: 0,
      instance: sack,
      // 5 of the 7.5 that no sack of 6 can hold more than.
      secret: { quality: '2/3', commitment: commitmentOf(pack(1), nonce) },
    })
    createVault('human-1', kept).keep(sold.openings)
    match.act(0, ...sold.actions, offer(0.2, { predicate: weights(9) }))
    match.act(
      1,
      {
        type: 'deliver',
        challenge: 1,
        instance: { capacity: 1, items: [{ weight: 1, worth: 4 }] },
        secret: { quality: '1/1', commitment: '0'.repeat(64) },
      },
      { type: 'solve', challenge: 0, solution: pack(2, 3) },
      { type: 'accept', challenge: 2 },
      offer(0.7, { predicate: weights(8) }),
    )

    // Another page, another match: what was kept is of this one alone.
    const known = match.session().known!
    expect(known.turn.toReveal).toHaveLength(1)
    expect(bundleOf(challenge, known, emptyDraft, createVault('human-2', kept)).problems).toEqual([
      expect.stringMatching(/secret of challenge 0/),
    ])
    const revealed = bundleOf(challenge, known, emptyDraft, createVault('human-1', kept))
    expect(revealed.actions).toEqual([{ type: 'reveal', challenge: 0, solution: pack(1), nonce }])
    expect(previewBundle(known, revealed.actions).events).toContainEqual(
      expect.objectContaining({ type: 'revealed', challenge: 0, quality: '2/3' }),
    )
  })
})

describe('a session', () => {
  test('knows who sold what, and who owes what', () => {
    const match = table({}, 0, 3)
    match.act(0, offer(0.5))
    match.act(1, { type: 'reoffer', challenge: 0, price: e(0.4) }, offer(0.6, { predicate: weights(1) }))
    match.act(2, { type: 'accept', challenge: 1 }, offer(0.7, { predicate: weights(2) }))
    match.act(0, { type: 'accept', challenge: 3 }, offer(0.3, { predicate: weights(7) }))
    match.act(
      1,
      { type: 'deliver', challenge: 1, instance: sack },
      { type: 'accept', challenge: 4 },
      offer(0.2, { predicate: weights(8) }),
    )
    match.act(
      2,
      { type: 'solve', challenge: 1, solution: pack() },
      { type: 'deliver', challenge: 3, instance: { capacity: 2, items: [{ weight: 2, worth: 1 }] } },
      { type: 'accept', challenge: 5 },
      offer(0.1, { predicate: weights(9) }),
    )
    const { happenings, known, removed } = match.session()
    const bought = happenings.filter(({ event }) => event.type === 'accepted')
    expect(bought.map(({ event, seller }) => [event.seat, seller])).toEqual([
      [2, 1],
      [0, 2],
      [1, 0],
      [2, 1],
    ])
    expect(known!.turn.toSolve.map((one) => one.challenge)).toEqual([3])
    expect(known!.turn.toDeliver.map((one) => one.challenge)).toEqual([4])
    expect(removed).toBeNull()
    const duties = dutiesOf(known!, [{ type: 'solve', challenge: 3, solution: pack(1) }], (seat) => `seat ${seat}`)
    expect(duties.map(({ rule, done }) => [rule, done])).toEqual([
      [4, true],
      [4, false],
      [2, false],
      [3, false],
    ])
  })

  test('knows what is owed to its player, where it has two turns in a row', () => {
    const match = table({ order: 'rotating' }, 1)
    match.act(0, offer(0.5))
    match.act(1, { type: 'accept', challenge: 0 }, offer(0.4, { predicate: weights(1) }))
    expect(waitingFor(match.session().known!)).toEqual([
      { challenge: 0, owes: 'the raw material', debtor: 0, price: e(0.5) },
    ])
  })

  test('is told why its player was removed', () => {
    const match = table()
    match.act(0)
    expect(match.session().removed).toMatch(/at least 1 must be in each turn/)
    expect(sessionOf({ dialogue: [] })).toBeNull()
  })
})

describe('what the program finds', () => {
  const config = (challenge.config({}) as { readonly value: Json }).value
  const stream = '0123456789abcdef'.repeat(4)
  test('is what was wished for', () => {
    const predicate = found(find(knapsack, { what: 'Predicate', config, stream, league: null, leagueParameter: null }))
    const read = readText(challenge, predicate, 'Predicate')!
    expect(read.ok && challenge.predicate(config, read.value).ok).toBe(true)
    const instance = found(find(knapsack, { what: 'Instance', config, stream, predicate: weights(3, 4) }))
    const material = readText(challenge, instance, 'Instance') as { readonly value: Json }
    expect(challenge.legal(config, weights(3, 4), material.value)).toBeNull()
  })
  test('is a better solution the longer it may look, and it ends in time', () => {
    const items = Array.from({ length: 20 }, (_, i) => ({ weight: 3 + (i % 2), worth: 1 + ((i * 37) % 90) }))
    const instance: Json = { capacity: 20, items }
    let time = 0
    const within = (withinMs: number): number => {
      time = 0
      const text = found(find(knapsack, { what: 'Solution', config, stream, instance, withinMs }, () => time++))
      const solution = readText(challenge, text, 'Solution') as { readonly value: Json }
      expect(challenge.feasible(config, instance, solution.value)).toBeNull()
      expect(time).toBeLessThanOrEqual(withinMs + 3)
      return toNumber(
        challenge.quality(config, instance, solution.value) as Exclude<ReturnType<typeof challenge.quality>, string>,
      )
    }
    const [hasty, patient] = [within(0), within(200)]
    expect(patient).toBeGreaterThan(hasty)
    // The six that are worth most weigh 18 to 24; a sack of the best weighs in with more than nine tenths of the bound.
    expect(patient).toBeGreaterThan(0.6)
  })
  test('is a reason where there is nothing', () => {
    expect(find('challenge ?', { what: 'Instance', config, stream, predicate: weights(3) })).toMatchObject({
      kind: 'ended',
      failure: 'The file has errors.',
    })
    expect(find(knapsack, { what: 'Instance', config, stream, predicate: weights() })).toMatchObject({
      kind: 'ended',
      failure: expect.stringContaining('No legal instance was found') as string,
    })
  })
  function found(answer: ReturnType<typeof find>): string {
    if (answer.kind !== 'found') throw new Error(JSON.stringify(answer))
    return answer.text
  }
})

describe('the screen', () => {
  function sit(play: Play) {
    const onanswer = vi.fn()
    const view = render(SpeckerPlay, { play, busy: false, onanswer, onsay: vi.fn() })
    return { onanswer, told: (next: Play) => view.rerender({ play: next }) }
  }
  const write = (label: string | RegExp, value: string) =>
    fireEvent.input(screen.getByLabelText(label), { target: { value } })
  const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
  const duties = () =>
    within(screen.getByRole('list', { name: 'Requirements of this turn' }))
      .getAllByRole('listitem')
      .map((item) => item.textContent)

  test('offers, refuses what would break a rule with the rule’s own words, and sends what breaks none', async () => {
    const match = table()
    const { onanswer } = sit(match.play())
    expect(screen.getByText(/it is your turn/)).toBeTruthy()
    expect(duties()).toEqual([expect.stringMatching(/Offer at least 1 new challenge, and 10 at most\. Rule 3/)])
    await press('Hand in the turn')
    expect(onanswer).not.toHaveBeenCalled()
    expect(screen.getByRole('alert').textContent).toMatch(/not handed in.*Rule 3, offer something new.*at least 1/)

    await press('Add to my turn')
    expect(screen.getByText('A predicate is missing.')).toBeTruthy()
    await write('Predicate', 'weights 3 x')
    expect(screen.getByText(/^Line 1, column 11: /)).toBeTruthy()
    await write('Predicate', 'weights 3 1000')
    await write('Price', '0.3')
    expect(screen.getByText(/A weight is 1 to 50, not 1,?000/)).toBeTruthy()
    await write('Price', '1.5')
    expect(screen.getByText('From 0 to 1 energy, with nine decimals at most.')).toBeTruthy()
    await write('Predicate', 'weights 3 4')
    await write('Price', '0.3')
    await press('Add to my turn')
    expect(screen.getByText('Offer “weights 3 4” for 0.3')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    // The same again is nothing new, as the turn stands.
    await write('Predicate', 'weights 4 3')
    await write('Price', '0.3')
    expect(screen.getByText(/already on offer at 0\.3/)).toBeTruthy()
    await fireEvent.keyDown(screen.getByLabelText('Price'), { key: 'Enter', ctrlKey: true })
    expect(onanswer.mock.calls).toEqual([[{ actions: [offer(0.3)] }]])
  })

  test('an example is chosen, and its problem is previewed with what a quick search reaches', async () => {
    const found = ['weights 3 4', 'weights 3 4', 'weights 5', 'weights 6', 'weights 7']
    vi.mocked(searchInBackground).mockImplementation((_, { what }) =>
      Promise.resolve(what === 'Predicate' ? found.shift()! : what === 'Instance' ? 'sack 9 5 for 1' : 'pack 1'),
    )
    sit(table().play())
    const examples = await waitFor(() => {
      const all = within(screen.getByRole('group', { name: /^Choose an example/ })).getAllByRole('button', {
        name: /^weights/,
      })
      expect(all.map((each) => each.textContent.trim())).toEqual(['weights 3 4', 'weights 5', 'weights 6', 'weights 7'])
      return all
    })
    await fireEvent.click(examples[1]!)
    expect(screen.getByLabelText<HTMLTextAreaElement>('Predicate').value).toBe('weights 5')
    expect(examples[1]!.getAttribute('aria-pressed')).toBe('true')
    const preview = screen.getByRole('region', { name: 'Preview of the problem' })
    await waitFor(() => expect(preview.textContent).toContain('sack 9 5 for 1'))
    expect((await within(preview).findByText(/A quick search reaches this/)).textContent).toContain('Quality 1')
    // A predicate that is not allowed has no problems.
    await write('Predicate', 'weights x')
    expect(screen.queryByRole('region', { name: 'Preview of the problem' })).toBeNull()
  })

  test('buys, lowers, delivers and solves, with what the program finds', async () => {
    const match = table({}, 1)
    match.act(0, offer(0.5), offer(0.4, { predicate: weights(1) }))
    const { onanswer, told } = sit(match.play())
    const rows = within(screen.getByRole('region', { name: 'Market' })).getAllByRole('row')
    expect(rows.slice(1).map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^1.*Human.*0\.4.*weights 1/s) as string,
      expect.stringMatching(/^0.*Human.*0\.5.*weights 3 4/s) as string,
    ])
    await press('Lower all 2 by 0.01')
    expect(screen.getByText('Lower challenge 0 to 0.49')).toBeTruthy()
    expect(screen.getByText(/Rule 3, offer something new/)).toBeTruthy()
    await write('Lower challenge 0 to', '0.495')
    expect(screen.getByText(/^Rule 5.*Lower challenge 0 to 0\.495: .*must be lowered by at least 0\.01/)).toBeTruthy()
    expect(screen.getByLabelText('Lower challenge 0 to').getAttribute('aria-invalid')).toBe('true')
    await press(/^Accept challenge 0/)
    expect(screen.getByLabelText<HTMLInputElement>('Lower challenge 0 to').disabled).toBe(true)
    expect(screen.queryByText(/Lower challenge 0 to 0/)).toBeNull()
    await press('Leave all as they are')
    await press(/^Accept challenge 0/)
    vi.mocked(lookFor).mockResolvedValueOnce('weights 9')
    await press('Fill in a random predicate')
    await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Predicate').value).toBe('weights 9'))
    await write('Price', '0.2')
    await press('Add to my turn')
    expect(screen.getByTestId('account').textContent).toMatch(/is 10, and 9\.5 after/)
    await press('Hand in the turn')
    const first = [{ type: 'accept', challenge: 0 }, offer(0.2, { predicate: weights(9) })] as Action[]
    expect(onanswer.mock.calls).toEqual([[{ actions: first }]])

    match.act(1, ...first)
    match.act(0, { type: 'deliver', challenge: 0, instance: sack }, { type: 'accept', challenge: 2 }, offer(0.1))
    await told(match.play())
    expect(duties().slice(0, 2)).toEqual([
      expect.stringMatching(/Solve challenge 0, which you bought from Human/),
      expect.stringMatching(/Deliver the raw material for challenge 2 to Human/),
    ])
    await write('Your solution of challenge 0', 'pack 1 2')
    // At the field, and where the turn is handed in.
    expect(screen.getAllByText(/The items weigh 7, and the sack holds 6/)).toHaveLength(2)
    vi.mocked(lookFor).mockResolvedValueOnce('pack 2 3')
    await press('Find a good solution')
    expect(await screen.findByText('4/5')).toBeTruthy()
    expect(screen.getByText(/pays you 0\.8\./)).toBeTruthy()
    vi.mocked(lookFor).mockRejectedValueOnce(new Error('None was found by chance.'))
    await press('Fill in random material')
    expect((await screen.findByRole('alert')).textContent).toBe('None was found by chance.')
    await write('Raw material for challenge 2', 'sack 9 8 for 1')
    expect(screen.getByText(/^Item 1 weighs 8, which the predicate does not allow/)).toBeTruthy()
    await write('Raw material for challenge 2', 'sack 9 9 for 1')
    expect(screen.getByText('This raw material is legal.')).toBeTruthy()
    await press(/^Accept challenge 3/)
    await write('Predicate', 'weights 8')
    await write('Price', '0.7')
    await press('Add to my turn')
    await press('Hand in the turn')
    const { actions } = onanswer.mock.calls[1]![0] as { readonly actions: readonly Action[] }
    match.act(1, ...actions)
    expect(match.state.removals).toEqual([])
  })

  test('raw material is pasted from a file of another program, with its best known measure', async () => {
    const gaps = { gaps: Array.from({ length: 10 }, (_, at) => at + 1) }
    const match = table({ challenge: graphColouring, challengeConfig: { colours: 4 } })
    match.act(0, offer(0.5, { predicate: gaps }))
    match.act(1, { type: 'accept', challenge: 0 }, offer(0.5, { predicate: { gaps: [1] } }))
    const { onanswer } = sit(match.play())
    expect(screen.getByText(/\(col\)/)).toBeTruthy()
    await write('Raw material for challenge 0', 'p edge 3 1\ne 1 9\n')
    expect(screen.queryByText(/This raw material is legal/)).toBeNull()
    await write('Raw material for challenge 0', myciel3)
    expect(screen.getByText(/This raw material is legal\./).textContent).toEqual(saying('myciel3', 20))
    expect(screen.getByRole('img', { name: /^Raw material for challenge 0\. Graph/ })).toBeTruthy()
    await press(/^Accept challenge 1/)
    await write('Predicate', 'gaps 2')
    await write('Price', '0.7')
    await press('Add to my turn')
    await press('Hand in the turn')
    const { actions } = onanswer.mock.calls[0]![0] as { readonly actions: readonly Action[] }
    expect(actions).toContainEqual({
      ...{ type: 'deliver', challenge: 0 },
      instance: { vertices: 11, edges: expect.arrayContaining([{ a: 1, b: 2 }]) as Json },
    })
    match.act(0, ...actions)
    expect(match.state.removals).toEqual([])
  })

  test('waits, tells the end, and shows a stranger’s signs as what they are', async () => {
    const match = table()
    const waiting: Play = { ...match.play(), question: null, names: ['Human', 'ba\u202eby'] }
    const { told } = sit(waiting)
    expect(screen.getByText(/thinking/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Hand in the turn' })).toBeNull()
    const place = { rank: 2, score: e(9.5), removed: true, reason: 'Because \u202e<b>.' }
    await told({
      ...waiting,
      result: {
        outcome: {
          places: [
            { seat: 0, ...place },
            { seat: 1, rank: 1, score: e(10.5), removed: false },
          ],
        },
      },
    })
    const said = (): string => screen.getByRole('status').textContent.replace(/\s+/g, ' ').trim()
    expect(said()).toBe('You were removed: Because ‹U+202E›<b>. You end with 9.5 energy, on the 2nd place of 2.')
    await told({
      ...waiting,
      result: {
        outcome: {
          places: [
            { seat: 0, rank: 1, score: e(10), removed: false },
            { seat: 1, ...place },
          ],
        },
      },
    })
    expect(said()).toBe('You end with 10 energy, on the 1st place of 2. ba‹U+202E›by was removed: Because ‹U+202E›<b>.')
  })

  test('shows the accounts that the match ended with, not those of the last turn, and no market any more', async () => {
    const match = table()
    const { told } = sit(match.play())
    expect(screen.getByRole('heading', { name: 'Market' })).toBeTruthy()
    const place = (seat: number, rank: number, score: number) => ({ seat, rank, score: e(score), removed: false })
    await told({
      ...match.play(),
      question: null,
      result: { outcome: { places: [place(0, 1, 10.0495), place(1, 2, 9.9505)] } },
    })
    const accounts = within(screen.getByRole('region', { name: 'Accounts at the end' })).getAllByRole('listitem')
    expect(accounts.map((each) => each.textContent)).toEqual([
      expect.stringContaining('10.0495') as string,
      expect.stringContaining('9.9505') as string,
    ])
    expect(screen.queryByRole('heading', { name: 'Market' })).toBeNull()
  })

  test('turns behind the last round are of completion, and no round of their own', async () => {
    const match = table({ maxTurns: 1, init: e(1) })
    match.act(0, offer(0.5))
    match.act(1, { type: 'accept', challenge: 0 }, offer(0.4, { predicate: weights(2, 3) }))
    match.act(0, { type: 'deliver', challenge: 0, instance: sack })
    const { turn, config } = match.session().known!
    expect(turn.round).toBe(2)
    expect(roundWords({ ...match.session().known!, config })).toBe('Completion')
    sit(match.play())
    expect(screen.queryByText(/Round 2/)).toBeNull()
  })

  test.each<[Record<string, Json>, string, Partial<Extract<Action, { type: 'offer' }>>]>([
    [{ variant: 'belief', f: 'free' }, 'Belief', { f: e(0.6) }],
    [{ variant: 'belief' }, 'Belief', {}],
    [{ variant: 'base-ball' }, 'Secret', { kind: 'secret' }],
    [{ variant: 'secret' }, 'Secret', {}],
  ])('offers what %j sells, and says what it claims', async (settings, claim, more) => {
    const { onanswer } = sit(table(settings).play())
    await write('Predicate', 'weights 3 4')
    await write('Price', '0.3')
    if (more.kind !== undefined) await fireEvent.change(screen.getByLabelText('Kind'), { target: { value: more.kind } })
    else expect(screen.queryByLabelText('Kind')).toBeNull()
    if (more.f !== undefined) {
      await press('Add to my turn')
      expect(screen.getByText('From 0 to 1 energy, with nine decimals at most.')).toBeTruthy()
      await write('Out of reach', '0.6')
    } else expect(screen.queryByLabelText('Out of reach')).toBeNull()
    expect(screen.getByText(new RegExp(`^${claim}: the seller`))).toBeTruthy()
    await press('Add to my turn')
    await press('Hand in the turn')
    expect(onanswer.mock.calls).toEqual([[{ actions: [offer(0.3, more)] }]])
  })

  test('plays a mega-move step by step: nothing is shown that cannot be done', async () => {
    const match = table({ mode: 'mega-moves' }, 1)
    match.act(0, offer(0.5))
    const { told } = sit(match.play())
    expect(screen.getByText(/you are Black, and accept or lower/)).toBeTruthy()
    expect(screen.getByRole('button', { name: /^Accept challenge 0/ })).toBeTruthy()
    expect(screen.queryByRole('form', { name: 'New offer' })).toBeNull()
    match.act(1, { type: 'accept', challenge: 0 })
    match.act(0, { type: 'deliver', challenge: 0, instance: sack })
    await told(match.play())
    expect(screen.getByText(/you are Black, and solve/)).toBeTruthy()
    match.act(1, { type: 'solve', challenge: 0, solution: pack(1) })
    await told(match.play())
    expect(screen.getByText(/you are White, and offer/)).toBeTruthy()
    expect(screen.getByRole('form', { name: 'New offer' })).toBeTruthy()
  })
})
