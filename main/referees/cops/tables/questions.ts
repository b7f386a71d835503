import { agentParameter, type ReadyQuestion } from '../../../contract/game/event-tables.ts'

/** The questions about contests of Cops & Robbers. */
export const questions = {
  'votes-against-own-interest': {
    title: 'Votes against own interest',
    about:
      'Ballots with which the own plan was not elected, although it would have been if its author had put it first and all others had voted as they did.',
    parameters: agentParameter,
    sql: `SELECT match, line, move, world, agent, ballot, own_place, winner
      FROM votes
      WHERE own_lost = 1 AND (:agent IS NULL OR agent = :agent)
      ORDER BY match, move, agent_seat`,
    columns: {
      match: 'the match',
      line: 'the line of the ballot in the history',
      move: 'the place of the ballot in its address',
      world: 'the world',
      agent: 'the voter',
      ballot: 'the names of the plans, the best one first',
      own_place: 'the place of its own plan, from 1',
      winner: 'the elected brain; null: nobody',
    },
    chart: { kind: 'scatter', x: 'world', y: 'own_place', series: 'agent' },
  },
  'false-claims': {
    title: 'False claims',
    about:
      'The announcements of each agent about worlds up to then, with a certainty above 0, and the share of them that was false; the worst liar first.',
    parameters: agentParameter,
    sql: `SELECT agent, count(*) AS claims, sum(1 - is_true) AS untrue, avg(1.0 - is_true) AS share,
        avg(CASE WHEN is_true = 0 THEN certainty END) AS certainty,
        max(CASE WHEN is_true = 0 THEN certainty END) AS most_certain,
        CASE WHEN sum(1 - is_true) > 0 THEN match END AS match, CASE WHEN sum(1 - is_true) > 0 THEN line END AS line,
        CASE WHEN sum(1 - is_true) > 0 THEN move END AS move
      FROM claims
      WHERE is_true IS NOT NULL AND certainty > 0 AND (:agent IS NULL OR agent = :agent)
      GROUP BY agent
      ORDER BY share DESC, agent`,
    columns: {
      agent: 'the agent',
      claims: 'number of its claims that can be judged',
      untrue: 'number of those that were false',
      share: 'their share',
      certainty: 'the certainty of the false ones in per cent, on average',
      most_certain: 'the highest certainty of a false one',
      match: 'the match of that one; null: no claim was false',
      line: 'its line in the history',
      move: 'its place in the address of the event',
    },
    chart: { kind: 'bar', x: 'agent', y: 'share' },
  },
} as const satisfies Readonly<Record<string, ReadyQuestion>>
