import { agentParameter, type ReadyQuestion } from '../../contract/game/event-tables.ts'

/** The questions about contests of every game. */
export const commonQuestions = {
  'matches-like': {
    title: 'Matches like one',
    about:
      'Matches like a chosen one: those with the same entrants and settings first, then the same entrants, then those with the same outcome and faults by seat.',
    parameters: {
      match: { kind: 'whole', about: 'the number of the chosen match', default: 0 },
      ...agentParameter,
    },
    sql: `WITH shape AS (
        SELECT matches.match AS match, matches.config AS config, group_concat(entrant, ', ' ORDER BY entrant, entrant_seat) AS entrants,
          group_concat(rank || CASE removed WHEN 1 THEN ' removed' ELSE '' END, ', ' ORDER BY entrant_seat) AS outcome,
          (SELECT coalesce(group_concat(fault, ', ' ORDER BY fault), '')
            FROM (SELECT DISTINCT entrant_seat || ' ' || kind AS fault FROM faults WHERE faults.match = matches.match)) AS faults
        FROM matches JOIN seats ON seats.match = matches.match
        GROUP BY matches.match)
      SELECT other.match AS match, other.entrants AS entrants, other.entrants = chosen.entrants AS same_entrants,
        other.config = chosen.config AS same_settings, other.outcome = chosen.outcome AS same_outcome,
        other.faults = chosen.faults AS same_faults, other.outcome AS outcome, other.faults AS faults
      FROM shape AS chosen JOIN shape AS other ON other.match <> chosen.match
      WHERE chosen.match = :match AND (same_entrants OR (same_outcome AND same_faults))
        AND (:agent IS NULL OR EXISTS (SELECT 1 FROM seats WHERE seats.match = other.match AND seats.entrant = :agent))
      ORDER BY same_entrants DESC, same_settings DESC, same_outcome DESC, same_faults DESC, other.match`,
    columns: {
      match: 'the match',
      entrants: 'its entrants by name',
      same_entrants: '1 if they are those of the chosen match',
      same_settings: '1 if its settings are those of the chosen match',
      same_outcome: '1 if the ranks by seat are the same, with the removals',
      same_faults: '1 if the same seats had the same kinds of faults, or none had any',
      outcome: 'its ranks by seat',
      faults: 'its faults by seat, from 0, and kind',
    },
    chart: { kind: 'bar', x: 'entrants', y: 'same_outcome' },
  },
  faults: {
    title: 'Faults by kind and version',
    about: 'The number of faults of each version by their kind, with the match and the event of the first one.',
    parameters: agentParameter,
    sql: `SELECT entrant AS agent, substr(agent, 1, 8) AS version, kind, count(*) AS faults,
        count(DISTINCT match) AS matches, min(match) AS match, line, move
      FROM faults
      WHERE :agent IS NULL OR entrant = :agent
      GROUP BY entrant, faults.agent, kind
      ORDER BY faults DESC, entrant, version, kind`,
    columns: {
      agent: 'the agent',
      version: 'the first digits of the hash of its version',
      kind: 'the kind of fault',
      faults: 'number of faults',
      matches: 'number of matches with such a fault',
      match: 'the first of these matches',
      line: 'the line of a fault in it',
      move: 'its place in the address of the event',
    },
    chart: { kind: 'bar', x: 'agent', y: 'faults', series: 'kind' },
  },
  'time-used': {
    title: 'Time used',
    about:
      'The time before the inputs of each agent, in games in which one after the other moves; the match and the event of its longest one.',
    parameters: agentParameter,
    sql: `SELECT entrant AS agent, count(*) AS inputs, sum(waited) AS ms, avg(waited) AS mean, max(waited) AS longest,
        match, line, move
      FROM events
      WHERE kind = 'input' AND entrant IS NOT NULL AND (:agent IS NULL OR entrant = :agent)
      GROUP BY entrant
      ORDER BY ms DESC, entrant`,
    columns: {
      agent: 'the agent',
      inputs: 'number of its inputs',
      ms: 'ms before them in all',
      mean: 'ms before one of them on average',
      longest: 'the most ms before one of them',
      match: 'the match of the longest',
      line: 'its line in the history',
      move: 'its place in the address of the event',
    },
    chart: { kind: 'bar', x: 'agent', y: 'ms' },
  },
  upsets: {
    title: 'Upsets',
    about:
      'Matches in which an agent came before another one that has more points a match in the contest, the greatest difference first; before decisions and rulings.',
    parameters: agentParameter,
    sql: `WITH strength AS (SELECT entrant, avg(points) AS mean FROM points GROUP BY entrant)
      SELECT winner.match AS match, winner.entrant AS agent, loser.entrant AS opponent,
        better.mean - weaker.mean AS difference, weaker.mean AS mean, better.mean AS opponent_mean
      FROM seats AS winner
      JOIN seats AS loser ON loser.match = winner.match AND winner.rank < loser.rank AND winner.entrant <> loser.entrant
      JOIN strength AS weaker ON weaker.entrant = winner.entrant
      JOIN strength AS better ON better.entrant = loser.entrant
      WHERE weaker.mean < better.mean AND (:agent IS NULL OR :agent IN (winner.entrant, loser.entrant))
      ORDER BY difference DESC, winner.match, winner.entrant_seat, loser.entrant_seat`,
    columns: {
      match: 'the match',
      agent: 'the agent that came before',
      opponent: 'the agent that came after',
      difference: 'points a match that the opponent has more',
      mean: "the agent's points a match in the contest",
      opponent_mean: "the opponent's points a match in the contest",
    },
    chart: { kind: 'bar', x: 'agent', y: 'difference', series: 'opponent' },
  },
  'worst-losses': {
    title: 'Worst losses',
    about:
      'The matches in which an agent was furthest behind the best score of the match; before decisions and rulings.',
    parameters: agentParameter,
    sql: `WITH best AS (SELECT match, max(score) AS score FROM seats GROUP BY match)
      SELECT seats.match AS match, seats.entrant AS agent, seats.rank AS rank, seats.score AS score,
        best.score - seats.score AS behind, seats.removed AS removed, seats.reason AS reason
      FROM seats JOIN best ON best.match = seats.match
      WHERE seats.rank > 1 AND (:agent IS NULL OR seats.entrant = :agent)
      ORDER BY behind DESC, seats.match, seats.entrant_seat`,
    columns: {
      match: 'the match',
      agent: 'the agent',
      rank: 'its rank in it',
      score: 'its score',
      behind: 'the difference to the best score',
      removed: '1 if it was removed',
      reason: 'the reason of its removal',
    },
    chart: { kind: 'bar', x: 'agent', y: 'behind' },
  },
} as const satisfies Readonly<Record<string, ReadyQuestion>>
