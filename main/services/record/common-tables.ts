import type { TableForms } from '../../contract/game/event-tables.ts'

/** The tables of every game. */
export const commonTables = {
  contests: {
    about: 'The contest: a single row.',
    rows: 'contest',
    columns: {
      contest: { kind: 'text', about: 'its id' },
      title: { kind: 'text', about: 'its title' },
      game: { kind: 'text', about: 'the id of its game' },
      version: { kind: 'whole', about: 'the version of the rules' },
      description: { kind: 'json', about: 'its published description, with format, limits and entrants' },
    },
  },
  matches: {
    about: 'The finished matches that count, before decisions and rulings.',
    rows: 'match',
    columns: {
      attempt: { kind: 'whole', about: 'the number of the attempt that was finished, from 1' },
      subject: { kind: 'text', about: 'its subject, such as the name of its challenge; null: it has none' },
      config: { kind: 'text', about: 'the SHA-256 of its settings' },
      seats: { kind: 'whole', about: 'number of seats' },
      events: { kind: 'whole', about: 'number of inputs, faults and printed lines' },
      inputs: { kind: 'whole', about: 'number of inputs' },
      faults: { kind: 'whole', about: 'number of faults' },
      prints: { kind: 'whole', about: 'number of lines that agents printed' },
      ms: { kind: 'number', about: 'its length in ms on the match clock' },
      isolation: { kind: 'text', about: 'how its agents were isolated' },
      seed: { kind: 'text', about: 'the seed that its outcome revealed' },
      head: { kind: 'text', about: 'the last hash of its chain, which names its history' },
      run: { kind: 'whole', about: 'its run in the segments' },
      rows: { kind: 'whole', about: 'number of its rows in the tables of the game' },
      broken: { kind: 'text', about: 'the reason why the tables of the game have no rows of it; null: they have them' },
    },
    indices: [['match']],
  },
  seats: {
    about: 'The seats of each match with their results.',
    rows: 'match',
    columns: {
      entrant: { kind: 'seat', about: 'the entrant in the seat' },
      role: { kind: 'text', about: "the seat's role in the game" },
      agent: { kind: 'text', about: 'the SHA-256 of its agent, which names the version' },
      rank: { kind: 'whole', about: 'its rank in the match, 1 being the best' },
      score: { kind: 'number', about: "its score in the unit of the game's tables" },
      removed: { kind: 'yes-no', about: 'it was removed, left or crashed before the end' },
      reason: { kind: 'text', about: 'the reason of its removal' },
      faults: { kind: 'whole', about: 'number of its faults' },
      prints: { kind: 'whole', about: 'number of lines that it printed' },
    },
    indices: [['match', 'entrant_seat']],
  },
  points: {
    about: "The points of each seat by the game's rule for points, before decisions and rulings.",
    rows: 'match',
    columns: {
      entrant: { kind: 'seat', about: 'the entrant in the seat' },
      points: { kind: 'number', about: 'its points' },
    },
    indices: [['match', 'entrant_seat']],
  },
  events: {
    about: 'Every input and every fault, in order.',
    rows: 'event',
    columns: {
      at: { kind: 'number', about: 'ms on the match clock' },
      waited: { kind: 'number', about: 'ms since the event before' },
      kind: { kind: 'text', about: '`input` or `fault`' },
      entrant: { kind: 'seat', about: 'the entrant whose input or fault it is; null: of several, or of nobody' },
      hidden: { kind: 'yes-no', about: 'not everybody could read it while the match ran' },
    },
  },
  faults: {
    about: 'The faults of players.',
    rows: 'event',
    columns: {
      at: { kind: 'number', about: 'ms on the match clock' },
      entrant: { kind: 'seat', about: 'the entrant at fault' },
      body: { kind: 'whole', about: 'its body, from 0' },
      agent: { kind: 'text', about: 'the SHA-256 of its agent, which names the version' },
      kind: { kind: 'text', about: 'such as `timeout`, `crash` or `invalid`' },
      took: { kind: 'number', about: 'ms that its answer took; null: unknown' },
      text: { kind: 'text', about: 'the fault in a sentence' },
    },
  },
  removals: {
    about: 'The removals of seats by the rules, in order.',
    rows: 'match',
    columns: {
      entrant: { kind: 'seat', about: 'the entrant that was removed' },
      round: { kind: 'whole', about: 'the round, turn or day, from 1' },
      rule: { kind: 'text', about: 'the violated rule' },
      action: { kind: 'whole', about: 'the index of the action in its answer, from 0; null: no single one' },
      text: { kind: 'text', about: 'the reason in a sentence' },
    },
  },
} as const satisfies TableForms
