import { townOptions } from '../../../main/referees/cops/kinds.ts'
import { podsSettings } from '../../../main/referees/cops/choices.ts'
import { config, newContestSettings } from '../../../main/referees/cops/config.ts'
import { fieldsOf } from '../settings-fields.ts'

/** The black market opens in odd worlds; 0 stands for never. */
const marketProblem = (world: number): string | null =>
  world === 0 || world % 2 === 1 ? null : `${world} is not an odd world, nor 0 for never.`

export const fields = fieldsOf(
  config,
  {
    rules: {
      label: 'Rule set',
      options: {
        '2005': ['of the first phase', 'the task of 2005, version 7'],
        '2005-twist': ['of the second phase', 'with bribes, pushes, a black market and accusations'],
      },
    },
    secondPhase: {
      label: 'The text of the second phase',
      options: {
        'as-written': ['is followed', 'version 5 of 2005'],
        earlier: [
          'is read as by earlier versions of this program',
          'false accusations are secret, and a second one disqualifies',
        ],
      },
      when: ({ rules }) => rules === '2005-twist',
    },
    marketWorlds: {
      label: 'Worlds in which cops list themselves',
      hint: 'odd worlds by cop, from the last cop on, whatever it announces; 0: never',
      empty: 'as they announce',
      problem: marketProblem,
      when: ({ rules }) => rules === '2005-twist',
    },
    lastWorld: { label: 'Last world', hint: 'an even number; a robber still free in this world escapes' },
    illegal: {
      label: 'An illegal or late message',
      options: {
        disqualified: ['disqualifies', 'the match ends'],
        'stands-still': ['counts for nothing', 'the robot stands still'],
      },
    },
    mcgruffs: {
      label: 'McGruffs',
      hint: 'number of cops, counted from the last, that stand still instead of being disqualified',
    },
    first: {
      label: 'The first entrant plays',
      hint: 'with fewer than six entrants; the last entrant plays the remaining cops',
      options: { robber: ['the robber', ''], cop: ['the first cop', ''] },
    },
  },
  {},
  newContestSettings,
)

/** Settings of the contest in pods. */
export const podsFields = fieldsOf(podsSettings, {
  elimination: { label: 'Regular season eliminates', hint: 'entrants that do not win their pod against the house' },
  houseMarket: {
    label: 'Worlds in which cops of the house list themselves',
    hint: 'second phase, regular season: odd worlds from the last cop on; 0 and cops without a number: never',
    empty: 'as they announce',
    problem: marketProblem,
  },
  reruns: { label: 'Pods played again', hint: 'maximum number of replays after a disqualification' },
})

/** How a town is made; the seed has a field of its own. */
export const townFields = fieldsOf(townOptions, {
  avenues: { label: 'Avenues' },
  streets: { label: 'Streets', hint: 'at most 240 corners, counting avenues and streets' },
  gaps: { label: 'Gaps', hint: 'per cent of the sides of blocks that are missing', unit: 0.01 },
  oneWay: { label: 'One-way streets', hint: 'per cent, for cars', unit: 0.01 },
  culdesacs: { label: 'Culs-de-sac' },
  shortcuts: { label: 'Shortcuts', hint: 'ways for cars only' },
})
