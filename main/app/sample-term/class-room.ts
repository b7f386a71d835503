import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServiceDesk } from '../../administrator/procedures/service-desk.ts'
import type { CaseView } from '../../contract/cases/case-procedures.ts'
import { voteText, type WantedAct } from '../../contract/cases/case-record.ts'
import type { Stage } from '../../contract/cases/cases.ts'
import type { Visitor } from '../../contract/people/caller.ts'
import type { InputOf, OutputOf, ProcedureName } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { sha256 } from '../../histories/canonical.ts'
import { newNonce } from '../../histories/nonce.ts'
import type { SetClock } from '../../services/contests/recurring/set-clock.ts'
import { resources } from '../../services/machine/resources.ts'
import { callerOf } from '../../services/people/callers.ts'
import type { ClassroomService } from '../classroom-service.ts'

/** The educator at this machine. */
export const host: Visitor = { kind: 'host' }
export const personVisits = (person: string): Visitor => ({ kind: 'session', person, session: 's', isTerminal: false })

/** Waits between two looks at work of the class. ms. */
const LOOK_EVERY = 20
/** A step of the class that takes longer than this has stopped. ms. */
const STEP_MAX = 300_000

/** A class whose people act through the same calls as in the window. */
export interface ActingClass {
  /** Calls a procedure as a visitor. Rejects with Error if it is refused: the script is wrong then. */
  call<N extends ProcedureName>(visitor: Visitor, name: N, input: InputOf<N>): Promise<OutputOf<N>>
  /** Hands in a script, and waits for its trial match. */
  handIn(
    by: Visitor,
    content: string,
    to: { agent: string; game: string; contest: string | null; note?: string },
  ): Promise<HandedIn>
  /** Starts a contest, and waits until it has ended. */
  play(contest: string): Promise<void>
  /** Takes a step in a case. */
  act(by: Visitor, id: string, step: WantedAct): Promise<void>
  /** The case as soon as it is in one of these stages. */
  untilStage(id: string, ...wanted: readonly Stage[]): Promise<CaseView>
  /** Lets the deadline of the stage of a case pass. Returns the case in its next stage. */
  lapse(id: string): Promise<CaseView>
  /** The students among these who are on the panel of a case. */
  panelOf(id: string, people: readonly string[]): Promise<readonly PanelMember[]>
  /** The chair ends the hearing if they are among these; else its deadline passes. */
  endHearing(id: string, people: readonly string[]): Promise<void>
  /** Commits to the votes of members, and opens them. */
  vote(id: string, members: readonly PanelMember[], choice: 'yes' | 'no', reason: string): Promise<void>
}

/** The version that an agent has, and the state of its attempt. */
interface HandedIn {
  readonly version: string
  readonly state: string
}

/** A member of a panel, with their pseudonym. */
interface PanelMember {
  readonly by: Visitor
  readonly me: string
}

/** The source of a shipped agent, with a line that makes it the agent of a team. */
export function shippedSource(game: string, name: string, of: string): string {
  return `${readFileSync(join(resources.agents, game, `${name}.js`), 'utf8')}// ${of}\n`
}

/**
 * Looks again and again until something is found. `what`: for the error. Rejects with ExpectedError 'host' if it takes longer than
 * any step of a class: a caller that waits would wait for ever.
 */
export async function until<T>(what: string, look: () => Promise<T | null>, max = STEP_MAX): Promise<T> {
  for (const begun = performance.now(); ;) {
    const found = await look()
    if (found !== null) return found
    if (performance.now() - begun > max)
      throw new ExpectedError('host', 'step-stopped', `${what}: not done after ${Math.round(max / 1_000)} s, given up.`)
    await sleep(LOOK_EVERY)
  }
}

/** The acts of the people of an open class. Its maker sets its clock. */
export function actingClass(service: ClassroomService, clock: SetClock): ActingClass {
  // Students call before they have signed in: nobody has a session.
  const desk = createServiceDesk(
    { ...service, callerOf: (visitor) => callerOf(service.accounts.home.content, visitor) },
    (error) => {
      throw error
    },
  )
  const call: ActingClass['call'] = async (visitor, name, input) => {
    const admitted = desk.admit(name, input, visitor)
    const reply = admitted.ok ? await admitted.value.run() : admitted
    if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`)
    return reply.value as OutputOf<typeof name>
  }
  const caseOf = (by: Visitor, id: string): Promise<CaseView> => call(by, 'cases.get', { case: id })
  const act: ActingClass['act'] = async (by, id, step) => {
    await call(by, 'cases.act', { case: id, act: step })
  }

  const untilStage = (id: string, ...wanted: readonly Stage[]): Promise<CaseView> =>
    until(`The case ${id} on its way to ${wanted.join(' or ')}`, async () => {
      const view = await caseOf(host, id)
      return wanted.includes(view.stage) ? view : null
    })
  const panelOf: ActingClass['panelOf'] = async (id, people) => {
    const found: PanelMember[] = []
    for (const person of people) {
      const by = personVisits(person)
      const { me, panel } = await caseOf(by, id)
      if (me !== null && panel.includes(me)) found.push({ by, me })
    }
    return found
  }
  const lapse: ActingClass['lapse'] = async (id) => {
    const { stage, instance, deadline } = await caseOf(host, id)
    if (deadline === null) throw new Error(`the case ${id} has no deadline in ${stage}`)
    clock.set(deadline)
    return until(`The deadline of the case ${id} in ${stage}`, async () => {
      const view = await caseOf(host, id)
      return view.stage !== stage || view.instance !== instance || view.deadline !== deadline ? view : null
    })
  }

  return {
    call,
    act,
    untilStage,
    async handIn(by, content, { agent, game, contest, note = '' }) {
      const taken = await desk.take('packages', { name: `${agent}.js`, file: undefined }, Readable.from([content]), by)
      if (!taken.ok) throw new Error(taken.error.message)
      const { attempt } = await call(by, 'handIn.submit', {
        ...{ file: taken.value.file, game, team: null, note, agent, contest },
      })
      return until(`The trial match of ${agent}`, async () => {
        const { attempts } = await call(by, 'handIn.attempts', { team: null })
        const { state } = attempts.find(({ id }) => id === attempt)!
        if (state === 'received' || state === 'waiting') return null
        const [newest] = (await call(by, 'agents.get', { name: agent })).versions
        return { version: newest!.agent, state }
      })
    },
    async play(contest) {
      await call(host, 'contests.start', { contest })
      await until(`The contest ${contest}`, async () => {
        const { summary } = await call(host, 'contests.get', { contest })
        return summary.state === 'ended' ? summary : null
      })
    },
    lapse,
    panelOf,
    async endHearing(id, people) {
      const { chair } = await untilStage(id, 'hearing')
      const leads = (await panelOf(id, people)).find(({ me }) => me === chair)
      if (leads === undefined) await lapse(id)
      else await act(leads.by, id, { do: 'ended', stage: 'hearing' })
      await untilStage(id, 'voting')
    },
    async vote(id, members, choice, reason) {
      const ballot = (await caseOf(host, id)).ballots.at(-1)!.number
      const openings: (() => Promise<void>)[] = []
      for (const { by, me } of members) {
        for (const question of ['broken', 'penalty'] as const) {
          const vote = { question, choice: question === 'broken' ? choice : '1', reason, nonce: newNonce() }
          const commitment = sha256(voteText({ ...vote, case: id, voter: me, ballot }))
          await act(by, id, { do: 'voted', question, commitment })
          openings.push(() => act(by, id, { do: 'opened', ...vote }))
        }
      }
      if ((await caseOf(host, id)).stage === 'voting') await lapse(id)
      await untilStage(id, 'opening')
      for (const open of openings) await open()
    },
  }
}
