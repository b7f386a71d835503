import type { Deed, Game } from '../../contract/game/game.ts'
import { config, courseOf, type Config } from './config.ts'
import { contests } from './contests.ts'
import { input, type Input } from './input.ts'
import { answer, type Answer, type Message } from './messages.ts'
import { readMapFile } from './map-file.ts'
import { native } from './native.ts'
import { offlineWire } from './offline.ts'
import { outline } from './outline.ts'
import { referee } from './referee.ts'
import { rules } from './rules.ts'
import { script } from './script.ts'
import { seatsFor } from './seats.ts'
import type { State } from './state.ts'
import { readSubmittedPunter } from './submission.ts'
import { spectatorView } from './narration/spectator-view.ts'
import { storyteller } from './narration/narrator.ts'
import type { View } from './view.ts'

/** Lambda Punter: the programming contest of ICFP 2017. */
export const punter: Game<Config, State, Input, Message, Answer, View> = {
  id: 'punter',
  title: 'Lambda Punter',
  version: 1,
  config,
  input,
  answer,
  // A match ends when every river has had its turn.
  length: (settings) => Math.max(1, courseOf(settings).rivers.length),
  seats: (_config, entrants) => seatsFor(entrants),
  rules,
  outline,
  storyteller,
  spectatorView,
  referee,
  script,
  // Futures are chosen at the beginning.
  retelling: { ready, asksPerson: (message) => message.type === 'setup' && message.settings?.futures === true, deeds },
  moveWire: (_post, settings, _seats, host) => offlineWire(settings, host),
  network: { plain: true, rejoins: false, native },
  limits: { startMs: 10_000, moveMs: 1_000, stateBytes: 16_777_216 },
  submission: readSubmittedPunter,
  trial: { config: { map: 'sample' } },
  example: { config: { map: 'grid' }, agents: ['baby', 'greedy', 'tartaglia'], seats: 3 },
  keptFromKits: ['tartaglia'],
  texts: { map: { kind: 'map', ending: 'json', byHash: true, problem: mapProblem } },
  contests,
}

/** A map whose faults can be repaired is a map; whether they are is a setting of the contest. */
function mapProblem(text: string): string | null {
  const read = readMapFile(text, true)
  return 'file' in read ? null : (read.problems[0] ?? null)
}

function ready(message: Message): Answer | null {
  if (message.type === 'setup') return { ready: message.punter }
  return message.type === 'stop' ? { stopped: true } : null
}

function deeds(told: Input): readonly Deed<Answer>[] {
  const { seat } = told
  if (told.type === 'move') return [{ seat, answer: told.move }]
  if (told.type === 'fault') {
    const { fault, gone, ready: isReady } = told
    return [{ seat, fault, gone, ...(isReady === undefined ? {} : { ready: isReady }) }]
  }
  const futures = told.futures.length === 0 ? {} : { futures: told.futures }
  return [{ seat, answer: { ready: seat, ...futures }, ready: true }]
}
