import { agentParameter, type ReadyQuestion } from '../../../contract/game/event-tables.ts'

/** The questions about contests of Lambda Punter. */
export const questions = {
  'futures-lost': {
    title: 'Futures lost',
    about: 'The futures that were not kept, the most expensive first; each leads to the event in which it was named.',
    parameters: agentParameter,
    sql: `SELECT match, line, move, agent, mine, target, worth
      FROM futures
      WHERE kept = 0 AND (:agent IS NULL OR agent = :agent)
      ORDER BY worth DESC, match, agent_seat, mine`,
    columns: {
      match: 'the match',
      line: 'the line of the event in the history',
      move: 'its place in the address of the event',
      agent: 'the punter that named it',
      mine: 'id of the mine',
      target: 'id of the site that it was to be joined to',
      worth: 'its cost',
    },
    chart: { kind: 'bar', x: 'agent', y: 'worth' },
  },
  'border-rivers': {
    title: 'Rivers at the border',
    about: 'The rivers that each agent takes, and the share of them that touches rivers of others.',
    parameters: agentParameter,
    sql: `SELECT agent, count(*) AS rivers, sum(border) AS at_border, avg(1.0 * border) AS share,
        count(DISTINCT match) AS matches, avg(CASE WHEN border = 1 THEN turn END) AS turn
      FROM rivers
      WHERE :agent IS NULL OR agent = :agent
      GROUP BY agent
      ORDER BY share DESC, agent`,
    columns: {
      agent: 'the punter',
      rivers: 'number of rivers that it took',
      at_border: 'number of those with an end at a river of another punter',
      share: 'their share',
      matches: 'number of matches in which it took a river',
      turn: 'the move in which it took one at the border, on average',
    },
    chart: { kind: 'bar', x: 'agent', y: 'share' },
  },
  'score-over-time': {
    title: 'Score over time',
    about: "The earnings of the agents' rivers after each of their turns, on average over their matches.",
    parameters: agentParameter,
    sql: `SELECT agent, round, avg(score) AS score, avg(gain) AS gain, count(*) AS moves
      FROM moves
      WHERE :agent IS NULL OR agent = :agent
      GROUP BY agent, round
      ORDER BY agent, round`,
    columns: {
      agent: 'the punter',
      round: 'its turn in the match, from 1',
      score: 'the earnings of its rivers after this turn, on average, without futures',
      gain: 'by how much this turn raised it, on average',
      moves: 'number of turns that were counted',
    },
    chart: { kind: 'line', x: 'round', y: 'score', series: 'agent' },
  },
} as const satisfies Readonly<Record<string, ReadyQuestion>>
