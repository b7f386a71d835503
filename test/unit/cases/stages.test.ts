import { describe, expect, test } from 'vitest'
import { foldLines } from '../../../main/services/cases/fold.ts'
import {
  FILER,
  OTHER,
  STAFF,
  caseKey,
  complaint,
  grow,
  heard,
  idOf,
  linesOf,
  opening,
  voteOf,
  appealedCase,
  unjudgedAppeal,
  wholeCase,
  type Growing,
} from './record.ts'
import { defaultSettings } from '../../../main/contract/cases/cases.ts'
import { lapseOf } from '../../../main/services/cases/ballots.ts'
import { transcript } from '../../../main/services/cases/transcript.ts'
import { commitmentOf } from '../../../main/services/cases/votes.ts'

const yes = (_: string, question: string): string => (question === 'broken' ? 'yes' : '1')

describe('the stages of a case', () => {
  test('a case goes from the complaint to the ruling of an appeal, and its record holds', () => {
    const { state, entries } = wholeCase()
    expect(state).toMatchObject({ stage: 'closed', outcome: 'rejected', instance: 2 })
    expect(state.rulings.map(({ broken, penalty }) => [broken, penalty.length])).toEqual([
      [true, 1],
      [false, 0],
    ])
    // The larger panel has nobody of the first one while others are left.
    expect(state.earlier).toHaveLength(3)
    expect(foldLines(linesOf(entries), caseKey.publicKey)).toMatchObject({ ok: true, state })
  })

  test('nobody dismisses a case against themselves, and one that nobody admits is admitted', () => {
    const filed = complaint()
    const people = filed.people.map((each) => (each.role === 'educator' ? { ...each, side: 'other' as const } : each))
    const own = grow({ ...filed, other: { who: 'educator' }, against: { what: 'administrator' }, people })
    expect(own.add(STAFF, { do: 'dismissed', reason: 'No.' })).not.toBeNull()
    // A party cannot take time from the other one.
    expect(own.add(STAFF, { do: 'deadline', to: '2026-11-29T20:10:00.000Z', reason: 'Soon.' })).not.toBeNull()
    // They give more time once, and at most as much as the stage has.
    const twoDays = '2026-12-02T20:10:00.000Z'
    expect(own.add(STAFF, { do: 'deadline', to: '2026-12-24T20:10:00.000Z', reason: 'Later.' })).not.toBeNull()
    expect(own.add(STAFF, { do: 'deadline', to: twoDays, reason: 'Later.' })).toBeNull()
    expect(own.add(STAFF, { do: 'deadline', to: '2026-12-02T20:20:00.000Z', reason: 'Later.' })).not.toBeNull()
    const { penalties } = { penalties: [[], filed.asks] }
    // They admit what was asked for, by the rules with which it was filed.
    expect(own.add(STAFF, { do: 'admitted', reason: 'Mild.', penalties: [[]] })).not.toBeNull()
    const settings = { ...filed.settings, quorum: 100 }
    expect(own.add(STAFF, { do: 'admitted', reason: 'Hard.', penalties, settings })).not.toBeNull()
    expect(own.add(STAFF, { do: 'admitted', reason: 'Let us hear it.', penalties })).toBeNull()
    expect(own.state).toMatchObject({ stage: 'answer', penalties })
    own.must(STAFF, { do: 'answered', text: 'No.', evidence: [], salt: null })
    for (const by of [FILER, STAFF]) own.must(by, { do: 'refused', person: null, salt: null })
    // The moment of the lot is not theirs to choose.
    expect(own.add(STAFF, { do: 'ended', stage: 'answer' })).not.toBeNull()
    expect(own.add(idOf(5), { do: 'ended', stage: 'answer' })).toBeNull()
    const other = grow()
    other.must(idOf(5), { do: 'dismissed', reason: 'The line is of another match.' })
    expect(other.state).toMatchObject({ stage: 'closed', outcome: 'dismissed' })
  })

  test('staff who are not a party set how a case is heard, and move a deadline by at most a year', () => {
    const growing = grow()
    const settings = { ...growing.state.filed.settings, hideNames: true, panel: 3 as const }
    growing.must(STAFF, { do: 'admitted', reason: 'Three are enough.', penalties: [[]], settings })
    const far = { do: 'deadline', to: '9999-12-31T00:00:00.000Z', reason: 'Later.' } as const
    expect(growing.add(STAFF, far)).not.toBeNull()
    growing.must(STAFF, { ...far, to: '2027-11-29T20:00:00.000Z' })
    // Under hidden names a refusal stands: taken back, it would have told a pseudonym.
    growing.must(FILER, { do: 'refused', person: idOf(17), salt: null })
    expect(growing.add(FILER, { do: 'undone', n: growing.entries.length })).not.toBeNull()
    growing.lapse()
    growing.draw()
    expect(growing.state.panel).toHaveLength(3)
    expect(foldLines(linesOf(growing.entries), caseKey.publicKey)).toMatchObject({ ok: true })
  })

  test('a deadline that was moved goes back, the last move first, and a party takes time back within a minute only', () => {
    const growing = grow()
    const first = growing.state.deadline!
    const move = (by: string, to: string): number => {
      growing.must(by, { do: 'deadline', to, reason: 'A holiday.' })
      return growing.entries.length
    }
    const one = move(STAFF, '2026-12-05T00:00:00.000Z')
    const two = move(idOf(5), '2026-12-06T00:00:00.000Z')
    expect(growing.add(STAFF, { do: 'undone', n: one })).not.toBeNull()
    expect(growing.add(STAFF, { do: 'undone', n: two })).not.toBeNull()
    growing.must(idOf(5), { do: 'undone', n: two })
    expect(growing.state.deadline).toBe('2026-12-05T00:00:00.000Z')
    growing.must(STAFF, { do: 'undone', n: one })
    expect(growing.state.deadline).toBe(first)
    // A deadline that has passed does not come back, and nothing is taken back twice.
    expect(growing.add(STAFF, { do: 'undone', n: one })).not.toBeNull()
    const third = move(STAFF, '2026-12-05T00:00:00.000Z')
    growing.now = Date.parse(first)
    expect(growing.add(STAFF, { do: 'undone', n: third })).not.toBeNull()
    expect(foldLines(linesOf(growing.entries), caseKey.publicKey)).toMatchObject({ ok: true, state: growing.state })

    const filed = complaint()
    const people = filed.people.map((each) => (each.role === 'educator' ? { ...each, side: 'other' as const } : each))
    const own = grow({ ...filed, other: { who: 'educator' }, against: { what: 'administrator' }, people })
    const given = (): number => {
      own.must(STAFF, { do: 'deadline', to: '2026-12-02T20:10:00.000Z', reason: 'Later.' })
      return own.entries.length
    }
    own.must(STAFF, { do: 'undone', n: given() })
    expect(own.state).toMatchObject({ deadline: first, isExtended: false })
    const late = given()
    own.now += 60_000
    expect(own.add(STAFF, { do: 'undone', n: late })).not.toBeNull()
  })

  test('nobody fills the record: a person has fifty entries in a stage, but replies and votes are always taken', () => {
    const growing = heard()
    for (let n = 0; n < 50; n++) growing.must(OTHER, { do: 'replied', to: null, text: `Statement ${n}.` })
    const state = growing.state
    expect(growing.add(OTHER, { do: 'replied', to: null, text: 'More.' })).not.toBeNull()
    expect(growing.add(OTHER, { do: 'undone', n: growing.entries.length })).not.toBeNull()
    expect(growing.state).toBe(state)
    growing.must(growing.state.chair, { do: 'asked', to: 'other', text: 'Is that all?' })
    growing.must(OTHER, { do: 'replied', to: growing.entries.length, text: 'It is.' })
    growing.must(idOf(4), { do: 'replied', to: null, text: 'Another of them may speak.' })
  })

  test('those who were refused before an appeal stay out of it', () => {
    const growing = heard({ panel: 3 }, 5)
    growing.lapse()
    growing.vote(yes)
    growing.lapse()
    growing.must(OTHER, { do: 'appealed', text: 'Again.', salt: null })
    growing.lapse()
    growing.draw()
    expect([...growing.state.panel, ...growing.state.reserve]).not.toContain(idOf(16))
  })

  test('after a deadline nothing is accepted but its consequence, and that not before', () => {
    const growing = grow()
    expect(growing.add(null, { do: 'lapsed', stage: 'filed' })).not.toBeNull()
    growing.now = Date.parse(growing.state.deadline!)
    expect(growing.add(STAFF, { do: 'dismissed', reason: 'Late.' })).not.toBeNull()
    growing.lapse()
    growing.lapse()
    expect(growing.state).toMatchObject({ stage: 'draw', answered: null, deadline: null })
  })

  test('a side refuses once, steps can be taken back until the stage ends, and conflicts leave the panel', () => {
    const growing = grow()
    growing.lapse()
    growing.must(FILER, { do: 'refused', person: idOf(17), salt: null })
    expect(growing.add(idOf(2), { do: 'refused', person: idOf(18), salt: null })).not.toBeNull()
    const n = growing.entries.length
    expect(growing.add(OTHER, { do: 'undone', n })).not.toBeNull()
    growing.must(FILER, { do: 'undone', n })
    growing.must(FILER, { do: 'refused', person: idOf(18), salt: null })
    growing.must(idOf(19), { do: 'conflict', reason: '' })
    growing.lapse()
    expect(growing.add(FILER, { do: 'undone', n: growing.entries.length - 2 })).not.toBeNull()
    growing.draw()
    expect(growing.state.panel.toSorted()).toEqual([16, 17, 20].map(idOf))
  })

  test('assistants and educators fill a panel of a class of six, and the record says so', () => {
    const growing = heard({ panel: 5 }, 2)
    expect(growing.state.panel).toHaveLength(3)
    expect(growing.state.filled).toEqual([idOf(5), idOf(6)])
  })

  test('a member who leaves in the hearing is replaced by the next one of the lot, the chair by another member', () => {
    const growing = heard({ panel: 3 }, 8)
    const { chair, reserve, panel } = growing.state
    growing.must(null, { do: 'left', person: chair! })
    expect(growing.state.panel).toEqual([...panel.slice(1), reserve[0]])
    expect(growing.state.chair).toBe(panel[1])
    expect(growing.add(chair, { do: 'asked', to: 'both', text: 'Why?' })).not.toBeNull()
    const all = heard()
    for (const member of all.state.panel) all.must(null, { do: 'left', person: member })
    expect(all.state).toMatchObject({ stage: 'closed', outcome: 'unheard' })
  })

  test('the chair ends the hearing once both sides were heard and no question is open', () => {
    const growing = heard()
    const ended = { do: 'ended', stage: 'hearing' } as const
    const { chair } = growing.state
    expect(growing.add(chair, ended)).not.toBeNull()
    growing.must(FILER, { do: 'replied', to: null, text: 'It is line 7.' })
    expect(growing.add(chair, ended)).not.toBeNull()
    growing.must(OTHER, { do: 'exhibited', exhibit: growing.state.filed.evidence[0]! })
    growing.must(OTHER, { do: 'undone', n: growing.entries.length })
    expect(growing.add(chair, ended)).not.toBeNull()
    growing.must(OTHER, { do: 'replied', to: null, text: 'It is not.' })
    growing.must(chair, { do: 'asked', to: 'other', text: 'Why?' })
    expect(growing.add(chair, ended)).not.toBeNull()
    growing.must(OTHER, { do: 'replied', to: growing.entries.length, text: 'See line 8.' })
    expect(growing.add(growing.state.panel.at(-1)!, ended)).not.toBeNull()
    growing.must(chair, ended)
    expect(growing.state.stage).toBe('voting')
  })

  test('the chair is elected by the panel', () => {
    const growing = heard({ chair: 'elected' })
    const { panel } = growing.state
    expect([growing.state.stage, growing.state.chair]).toEqual(['election', null])
    for (const member of panel) growing.must(member, { do: 'elected', chair: panel.at(-1)! })
    expect([growing.state.stage, growing.state.chair]).toEqual(['hearing', panel.at(-1)])
  })

  test('a vote that does not fit its commitment is void, and so does not count', () => {
    const growing = heard()
    growing.lapse()
    const { panel } = growing.state
    const votes = panel.map((member) => voteOf(growing.state, member, 'broken', 'no'))
    for (const vote of votes)
      growing.must(vote.voter, { do: 'voted', question: 'broken', commitment: commitmentOf(vote) })
    // Nobody votes twice.
    expect(
      growing.add(panel[0]!, { do: 'voted', question: 'broken', commitment: commitmentOf(votes[1]!) }),
    ).not.toBeNull()
    growing.lapse()
    expect(growing.add(panel[0]!, { ...opening(votes[0]!), choice: 'yes' })).not.toBeNull()
    growing.must(panel[0]!, { ...opening(votes[0]!), choice: 'yes', fits: false })
    expect(growing.state.ballots[0]!.votes[0]!.state).toBe('void')
    expect(growing.add(panel[0]!, opening(votes[0]!))).not.toBeNull()
    for (const vote of votes.slice(1)) growing.must(vote.voter, opening(vote))
    expect(growing.state.ballots[0]!.tally).toMatchObject({ valid: panel.length - 1, broken: false, hasQuorum: true })
  })

  test('whoever keeps back a vote is present, abstains, and is named: nobody undoes a vote that they dislike', () => {
    const growing = heard({ quorum: 100 })
    growing.lapse()
    const { panel } = growing.state
    const votes = panel.map((member) => voteOf(growing.state, member, 'broken', 'yes'))
    for (const vote of votes)
      growing.must(vote.voter, { do: 'voted', question: 'broken', commitment: commitmentOf(vote) })
    growing.lapse()
    expect(growing.state.stage).toBe('opening')
    for (const vote of votes.slice(2)) growing.must(vote.voter, opening(vote))
    growing.now = Date.parse(growing.state.deadline!)
    const lapsed = { do: 'lapsed', stage: 'opening' } as const
    for (const unopened of [undefined, [], [panel[0]!], [panel[1]!, panel[0]!], [...panel]])
      expect(growing.add(null, unopened === undefined ? lapsed : { ...lapsed, unopened })).not.toBeNull()
    growing.must(null, { ...lapsed, unopened: panel.slice(0, 2) })
    expect(growing.state).toMatchObject({
      stage: 'ruling',
      ballots: [{ tally: { present: panel.length, valid: panel.length - 2, hasQuorum: true, broken: true } }],
    })
  })

  test('nobody undoes a quorum by leaving: whoever has voted stays present, abstains, and is not waited for', () => {
    const voted = (question: 'broken' | 'penalty', choice: string) => (growing: Growing, member: string) =>
      growing.must(member, {
        ...{ do: 'voted', question },
        commitment: commitmentOf(voteOf(growing.state, member, question, choice)),
      })
    const [broken, penalty] = [voted('broken', 'yes'), voted('penalty', '1')]
    const open = (growing: Growing, member: string): void => {
      growing.must(member, opening(voteOf(growing.state, member, 'broken', 'yes')))
      growing.must(member, opening(voteOf(growing.state, member, 'penalty', '1')))
    }
    for (const when of ['voting', 'opening'] as const) {
      const growing = heard({ quorum: 50 }, 5)
      growing.lapse()
      const [chair = '', second = '', third = '', fourth = ''] = growing.state.panel
      for (const member of [chair, second]) {
        broken(growing, member)
        penalty(growing, member)
      }
      if (when === 'opening') growing.lapse()
      growing.must(null, { do: 'left', person: chair })
      expect(growing.state).toMatchObject({ stage: when, panel: [chair, second, third, fourth], chair: second })
      if (when === 'voting') {
        // Nobody takes back the vote of somebody who has left.
        const barredFirst = heard({ quorum: 50 }, 5)
        barredFirst.lapse()
        broken(barredFirst, chair)
        const n = barredFirst.entries.length
        barredFirst.must(null, { do: 'barred', person: chair, because: 'joined' })
        expect(barredFirst.add(chair, { do: 'undone', n })).not.toBeNull()
        expect(barredFirst.add(chair, { do: 'voted', question: 'penalty', commitment: 'f'.repeat(64) })).not.toBeNull()
        growing.lapse()
      }
      expect(growing.state.stage).toBe('opening')
      open(growing, second)
      // The last one who can open has opened.
      expect(growing.state).toMatchObject({
        stage: 'ruling',
        ballots: [{ tally: { present: 2, panel: 4, valid: 1, hasQuorum: true, broken: true, penalty: 1 } }],
      })
    }
    // Whoever has not voted leaves a smaller panel, and the last vote of the others ends the voting.
    const growing = heard({ quorum: 100 }, 5)
    growing.lapse()
    const [first = '', ...others] = growing.state.panel
    penalty(growing, first)
    for (const member of others) {
      broken(growing, member)
      penalty(growing, member)
    }
    growing.must(null, { do: 'left', person: first })
    expect(growing.state).toMatchObject({ stage: 'opening', panel: others })
    growing.must(null, { do: 'left', person: others[0]! })
    for (const member of others.slice(1)) open(growing, member)
    expect(growing.state.ballots[0]!.tally).toMatchObject({ present: 3, panel: 3, valid: 2, hasQuorum: true })
    // The deadline names those who could have opened, and nobody who has left.
    const late = heard({ quorum: 50 }, 5)
    late.lapse()
    for (const member of late.state.panel.slice(0, 3)) broken(late, member)
    late.lapse()
    const [gone = '', opened = '', kept = ''] = late.state.panel
    late.must(null, { do: 'left', person: gone })
    late.must(opened, opening(voteOf(late.state, opened, 'broken', 'yes')))
    expect(lapseOf(late.state, 'opening')).toEqual({ do: 'lapsed', stage: 'opening', unopened: [kept] })
    late.lapse()
    expect(late.state.stage).toBe('ruling')
  })

  test('a vote that is repeated is one of those who are left, and a panel that has left unheard closes the case', () => {
    const growing = heard({ quorum: 75 }, 5)
    growing.lapse()
    const [first = '', ...others] = growing.state.panel
    const commitment = commitmentOf(voteOf(growing.state, first, 'broken', 'yes'))
    growing.must(first, { do: 'voted', question: 'broken', commitment })
    growing.must(null, { do: 'left', person: first })
    expect(growing.state.panel).toEqual([first, ...others])
    growing.lapse()
    expect(growing.state).toMatchObject({
      ...{ stage: 'voting', panel: others },
      ballots: [{ tally: { present: 1, panel: 4, hasQuorum: false } }, { votes: [] }],
    })
    for (const member of others) {
      const again = commitmentOf(voteOf(growing.state, member, 'broken', 'yes'))
      growing.must(member, { do: 'voted', question: 'broken', commitment: again })
    }
    growing.lapse()
    expect(growing.state.stage).toBe('opening')
    for (const member of others) growing.must(null, { do: 'left', person: member })
    expect(growing.state).toMatchObject({ stage: 'closed', outcome: 'unheard' })
  })

  test('in a live hearing a side that goes on after its part is late, and is heard', () => {
    const hearing = (mode: 'live' | 'writing'): Growing => {
      const growing = heard({ ...defaultSettings[mode], mode })
      const { deadline, stages } = growing.state
      const begun = Date.parse(stages.at(-1)!.at)
      const third = (Date.parse(deadline!) - begun) / 3
      const says = (by: string, at: number): void => {
        growing.now = begun + at - 1_000
        growing.must(by, { do: 'replied', to: null, text: 'So it is.' })
      }
      says(OTHER, 10_000)
      says(FILER, third - 1_000)
      says(FILER, third)
      says(OTHER, third + 1_000)
      growing.must(OTHER, { do: 'exhibited', exhibit: growing.state.filed.evidence[0]! })
      growing.now = begun + 2 * third - 1_000
      growing.must(OTHER, { do: 'exhibited', exhibit: growing.state.filed.evidence[0]! })
      growing.must(growing.state.panel[0]!, { do: 'asked', to: 'both', text: 'Why?' })
      growing.must(FILER, { do: 'replied', to: growing.entries.length, text: 'See line 7.' })
      return growing
    }
    const growing = hearing('live')
    const begun = growing.state.began
    expect(growing.state.late).toEqual([begun + 3, begun + 6])
    expect(growing.state.exhibits).toHaveLength(3)
    expect(transcript({ ...growing, id: 'case-1' }).split('Late: ')).toHaveLength(3)
    expect(hearing('writing').state.late).toEqual([])
  })

  test('too few commitments are not opened: nobody learns a vote that does not count', () => {
    const growing = heard({ quorum: 50 })
    growing.lapse()
    const [first = ''] = growing.state.panel
    const vote = voteOf(growing.state, first, 'broken', 'yes')
    growing.must(first, { do: 'voted', question: 'broken', commitment: commitmentOf(vote) })
    growing.lapse()
    expect(growing.state).toMatchObject({ stage: 'voting', ballots: [{ tally: { present: 1, hasQuorum: false } }, {}] })
  })

  test('somebody of a team concerned is left out by the program, before the lot and after it, and nobody of a side', () => {
    const growing = grow(complaint({ panel: 3 }, 8))
    const barred = (person: string) => ({ do: 'barred', person, because: 'former' }) as const
    expect(growing.add(null, barred(FILER))).not.toBeNull()
    expect(growing.add(STAFF, barred(idOf(17)))).not.toBeNull()
    growing.must(null, barred(idOf(17)))
    expect(growing.add(null, barred(idOf(17)))).not.toBeNull()
    growing.lapse()
    growing.lapse()
    growing.must(null, barred(idOf(18)))
    growing.draw()
    const { panel, reserve } = growing.state
    expect([...panel, ...reserve].filter((id) => [idOf(17), idOf(18)].includes(id))).toEqual([])
    growing.must(null, { ...barred(panel[0]!), because: 'joined' })
    expect(growing.state.panel).toEqual([...panel.slice(1), reserve[0]])
    expect(growing.add(panel[0]!, { do: 'asked', to: 'both', text: 'Why?' })).not.toBeNull()
    expect(foldLines(linesOf(growing.entries), caseKey.publicKey)).toMatchObject({ ok: true })
  })

  test('an older vote for a chair that is taken back leaves the newer one', () => {
    const growing = heard({ chair: 'elected' })
    const [one = '', other = ''] = growing.state.panel
    for (const chair of [one, other]) growing.must(one, { do: 'elected', chair })
    const newer = growing.entries.length
    growing.must(one, { do: 'undone', n: newer - 1 })
    expect(growing.state.nominations).toEqual(new Map([[one, other]]))
    growing.must(one, { do: 'undone', n: newer })
    expect(growing.state.nominations.size).toBe(0)
  })

  test('without a quorum the vote is repeated once, and then the complaint fails', () => {
    const growing = heard()
    growing.lapse()
    growing.lapse()
    expect(growing.state).toMatchObject({
      stage: 'voting',
      ballots: [{ tally: { hasQuorum: false } }, { tally: null }],
    })
    growing.lapse()
    expect(growing.state.stage).toBe('ruling')
    growing.lapse()
    expect(growing.state.rulings).toMatchObject([{ broken: false, text: null }])
    growing.lapse()
    expect(growing.state).toMatchObject({ stage: 'closed', outcome: 'rejected' })
  })

  test('an appeal without a quorum closes the case, and the first ruling stays', () => {
    for (const choice of ['yes', 'no']) {
      const growing = appealedCase((_, question) => (question === 'broken' ? choice : '1'))
      const before = growing.state.rulings
      growing.draw()
      growing.lapse()
      growing.lapse()
      expect(growing.state.stage).toBe('voting')
      growing.lapse()
      expect(growing.state).toMatchObject({
        ...{ stage: 'closed', outcome: choice === 'yes' ? 'upheld' : 'rejected', instance: 2, rulings: before },
        ballots: [{ instance: 1 }, { tally: { hasQuorum: false } }, { tally: { hasQuorum: false } }],
      })
      const folded = foldLines(linesOf(growing.entries), caseKey.publicKey)
      expect(folded).toMatchObject({ ok: true, state: growing.state })
    }
  })

  test('an appeal that nobody is left to judge closes with the outcome of the first ruling', () => {
    for (const choice of ['yes', 'no']) {
      const growing = unjudgedAppeal(choice)
      const outcome = choice === 'yes' ? 'upheld' : 'rejected'
      expect(growing.state).toMatchObject({ stage: 'closed', outcome, instance: 2, panel: [], rulings: [{}] })
      const left = appealedCase((_, question) => (question === 'broken' ? choice : '1'))
      left.draw()
      for (const person of left.state.people.values())
        if (left.state.stage !== 'closed' && person.side === null) left.must(null, { do: 'left', person: person.id })
      expect(left.state).toMatchObject({ stage: 'closed', outcome, instance: 2, panel: [], rulings: [{}] })
    }
  })

  test('a ruling is what the votes say', () => {
    const growing = heard()
    growing.lapse()
    growing.vote(yes)
    const { chair } = growing.state
    expect(growing.add(chair, { do: 'ruled', broken: false, penalty: 0, text: 'I disagree.' })).not.toBeNull()
    expect(growing.add(chair, { do: 'ruled', broken: true, penalty: 0, text: 'A milder one.' })).not.toBeNull()
    expect(growing.add(FILER, { do: 'ruled', broken: true, penalty: 1, text: 'We say so.' })).not.toBeNull()
    growing.must(chair, { do: 'ruled', broken: true, penalty: 1, text: 'All say so.' })
    growing.lapse()
    expect(growing.state).toMatchObject({ outcome: 'upheld', rulings: [{ penalty: growing.state.filed.asks }] })
  })
})
