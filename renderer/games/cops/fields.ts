import { townOptions } from '../../../main/referees/cops/kinds.ts'
import { podsSettings } from '../../../main/referees/cops/choices.ts'
import { config } from '../../../main/referees/cops/config.ts'
import { fieldsOf } from '../settings-fields.ts'

export const fields = fieldsOf(config, {
  rules: {
    label: 'Rule set',
    options: {
      '2005': ['of the first phase', 'the task of 2005, version 7'],
      '2005-twist': ['of the second phase', 'with bribes, pushes, a black market and accusations'],
    },
  },
  lastWorld: { label: 'Last world', hint: 'a robber that is free in it has escaped; even' },
  illegal: {
    label: 'An illegal or late message',
    options: {
      disqualified: ['disqualifies', 'the match ends'],
      'stands-still': ['counts for nothing', 'the robot stands still'],
    },
  },
  mcgruffs: { label: 'McGruffs', hint: 'so many cops, the last ones, stand still where others are disqualified' },
  first: {
    label: 'The first entrant plays',
    hint: 'with fewer than six entrants; the last one plays the cops that are left',
    options: { robber: ['the robber', ''], cop: ['the first cop', ''] },
  },
})

/** Settings of the contest in pods. */
export const podsFields = fieldsOf(podsSettings, {
  elimination: { label: 'Regular season eliminates', hint: 'whoever does not win its pod against the house' },
  reruns: { label: 'Pods played again', hint: 'at most so often, when a member is disqualified' },
})

/** How a town is made; the seed has a field of its own. */
export const townFields = fieldsOf(townOptions, {
  avenues: { label: 'Avenues' },
  streets: { label: 'Streets', hint: 'with the avenues 240 corners at most' },
  gaps: { label: 'Gaps', hint: 'per cent of the sides of blocks', unit: 0.01 },
  oneWay: { label: 'One-way streets', hint: 'per cent, for cars', unit: 0.01 },
  culdesacs: { label: 'Culs-de-sac' },
  shortcuts: { label: 'Shortcuts', hint: 'ways for cars only' },
})
