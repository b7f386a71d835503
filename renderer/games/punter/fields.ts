import { roundsSettings } from '../../../main/referees/punter/choices.ts'
import { config } from '../../../main/referees/punter/config.ts'
import { mapOptions } from '../../../main/referees/punter/kinds.ts'
import type { Settings } from '../field.ts'
import { fieldsOf } from '../settings-fields.ts'

const isLater = ({ edition }: Settings): boolean => edition !== '1.0'

export const fields = fieldsOf(config, {
  repair: {
    label: 'Repair the map',
    hint: 'leave out rivers and mines without a site, and repetitions, instead of refusing the map',
  },
  edition: {
    label: 'Edition of the rules',
    options: {
      '1.0': ['1.0', 'the first day of the contest: no extensions'],
      '1.3': ['1.3', 'the end of the contest'],
    },
  },
  futures: { label: 'Futures', hint: 'bets on sites that will be joined to a mine', when: isLater },
  splurges: {
    label: 'Splurges',
    hint: 'a punter that has passed may claim several rivers at once later',
    when: isLater,
  },
  options: { label: 'Options', hint: 'a river that another punter has claimed can be used too', when: isLater },
  coordinates: { label: 'Coordinates', hint: 'punters get the places of sites on the map' },
  maxTimeouts: { label: 'Time-outs until removal', hint: 'then the punter is a zombie, which passes until the end' },
  timeouts: {
    label: 'Time-outs that count',
    options: { total: ['all of the match', ''], 'in-a-row': ['those in a row', 'an answer in time resets the count'] },
  },
  endInput: {
    label: 'Close the input of offline programs',
    hint: 'after each message, for programs that read until their input ends',
  },
})

const maps = { game: 'punter', field: 'map' }
const has =
  (round: number) =>
  ({ rounds }: Settings): boolean =>
    typeof rounds === 'number' && rounds >= round

/** Settings of the contest in rounds. */
export const roundsFields = fieldsOf(roundsSettings, {
  rounds: { label: 'Rounds', hint: '1: nobody is eliminated' },
  seats: { label: 'Punters in a game' },
  games: { label: 'Games per punter and map' },
  small: { label: 'Maps of round 1', hint: 'instead of the map above', of: maps },
  larger: { label: 'Maps of round 2', of: maps, when: has(2) },
  fiendish: { label: 'Maps of round 3', of: maps, when: has(3) },
})

/** How a map is made; the seed has a field of its own. */
export const mapFields = fieldsOf(mapOptions, {
  kind: {
    label: 'Kind',
    options: {
      grid: ['grid', 'rows and columns'],
      geometric: ['random geometric', 'rivers between all nearby sites; may have several parts'],
      gabriel: ['town', 'a Gabriel graph: few rivers, none of which cross'],
      delaunay: ['city', 'a Delaunay triangulation: many rivers, none of which cross'],
      sierpinski: ['Sierpinski triangle', 'triangles of triangles'],
      web: ['spider’s web', 'threads and rings'],
      lambda: ['lambda', 'the letter, cut out of a lattice'],
    },
  },
  sites: { label: 'Sites at most' },
  mines: { label: 'Mines' },
  placement: {
    label: 'Places of mines',
    options: {
      spread: ['far apart', 'each as far from the others as possible'],
      hubs: ['at hubs', 'at the sites with the most rivers'],
      random: ['anywhere', ''],
    },
  },
  thin: { label: 'Rivers left out', hint: 'per cent of the rivers that connectivity does not need', unit: 0.01 },
})
