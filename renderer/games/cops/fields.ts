import { townOptions } from '../../../main/referees/cops/kinds.ts'
import { podsSettings } from '../../../main/referees/cops/choices.ts'
import { config, newContestSettings } from '../../../main/referees/cops/config.ts'
import { fieldsOf } from '../settings-fields.ts'

/** The black market opens in odd worlds; 0 stands for never. */
const marketProblem = (world: number): string | null =>
  world === 0 || world % 2 === 1 ? null : `${world} is neither an odd number nor 0.`

export const fields = fieldsOf(
  config,
  {
    rules: {
      label: 'Rule set',
      options: {
        '2005': ['first phase', 'the task of 2005, version 7'],
        '2005-twist': ['second phase', 'adds bribes, pushes, a black market and accusations'],
      },
    },
    secondPhase: {
      label: 'Rules of the second phase',
      options: {
        'as-written': ['as written in 2005', 'version 5 of the task'],
        earlier: [
          'as in earlier versions of this program',
          'a false accusation stays secret, and a second one disqualifies',
        ],
      },
      when: ({ rules }) => rules === '2005-twist',
    },
    marketWorlds: {
      label: 'Cops enter the black market in world',
      hint: 'one odd number for each cop, the last cop first; 0: never. Replaces what the cop announces',
      empty: 'as they announce',
      problem: marketProblem,
      when: ({ rules }) => rules === '2005-twist',
    },
    lastWorld: { label: 'Last world', hint: 'an even number; a robber that has not been caught by then has escaped' },
    illegal: {
      label: 'An illegal or late message',
      options: {
        disqualified: ['disqualifies', 'the match ends'],
        'stands-still': ['counts for nothing', 'the robot stands still'],
      },
    },
    mcgruffs: {
      label: 'Cops that cannot be disqualified',
      hint: 'McGruffs: this many cops, beginning with the last one, stand still after an illegal message',
    },
    first: {
      label: 'The first entrant plays',
      hint: 'if there are fewer than six entrants; the last one plays all remaining cops',
      options: { robber: ['the robber', ''], cop: ['the first cop', ''] },
    },
  },
  {},
  newContestSettings,
)

/** Settings of the contest in pods. */
export const podsFields = fieldsOf(podsSettings, {
  elimination: {
    label: 'Eliminate in the regular season',
    hint: 'entrants that do not win their pod against the house agent',
  },
  houseMarket: {
    label: 'Cops of the house agent enter the black market in world',
    hint: 'second phase only: one odd number for each cop, the last cop first; 0 or no number: never',
    empty: 'as they announce',
    problem: marketProblem,
  },
  reruns: { label: 'Pods played again', hint: 'at most, after a disqualification' },
})

/** How a town is made; the seed has a field of its own. */
export const townFields = fieldsOf(townOptions, {
  avenues: { label: 'Avenues' },
  streets: { label: 'Streets', hint: 'avenues × streets: at most 240 corners' },
  gaps: { label: 'Gaps', hint: 'per cent of the sides of blocks that are missing', unit: 0.01 },
  oneWay: { label: 'One-way streets', hint: 'per cent, for cars', unit: 0.01 },
  culdesacs: { label: 'Culs-de-sac' },
  shortcuts: { label: 'Shortcuts', hint: 'ways for cars only' },
})
