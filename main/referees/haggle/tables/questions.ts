import { agentParameter, type ReadyQuestion } from '../../../contract/game/event-tables.ts'

/** The questions about contests of Haggling. */
export const questions = {
  'first-offers': {
    title: 'First offers',
    about: 'The first demands of each agent as shares of the whole value, the boldest agent first.',
    parameters: agentParameter,
    sql: `SELECT agent, count(*) AS sessions, avg(1.0 * own / total) AS own_share,
        avg(1.0 * left_over / total) AS other_share, sum(accepted) AS accepted,
        max(own) AS boldest, match, line, move
      FROM demands
      WHERE own_turn = 1 AND (:agent IS NULL OR agent = :agent)
      GROUP BY agent
      ORDER BY own_share DESC, agent`,
    columns: {
      agent: 'the agent',
      sessions: 'number of its first demands',
      own_share: 'the share of the whole value that it wants for itself, on average',
      other_share: 'the share of the whole value that it leaves to the other side, on average',
      accepted: 'number of these demands that were accepted',
      boldest: 'dollars of its highest first demand',
      match: 'the session of that one',
      line: 'its line in the history',
      move: 'its place in the address of the event',
    },
    chart: { kind: 'bar', x: 'agent', y: 'own_share' },
  },
  'concession-curves': {
    title: 'Concession curves',
    about: 'The share of the whole value that each agent asks for in its first turn, its second, and so on.',
    parameters: agentParameter,
    sql: `SELECT agent, own_turn, count(*) AS demands, avg(1.0 * own / total) AS own_share,
        avg(1.0 * left_over / total) AS other_share
      FROM demands
      WHERE :agent IS NULL OR agent = :agent
      GROUP BY agent, own_turn
      ORDER BY agent, own_turn`,
    columns: {
      agent: 'the agent',
      own_turn: 'its turn in the session, from 1',
      demands: 'number of its demands in this turn',
      own_share: 'the share of the whole value that it wants for itself, on average',
      other_share: 'the share of the whole value that it leaves to the other side, on average',
    },
    chart: { kind: 'line', x: 'own_turn', y: 'own_share', series: 'agent' },
  },
  'missed-agreements': {
    title: 'Sessions without agreement that had one',
    about:
      'Sessions that ended without an agreement although a demand, or some division of the objects, gave something to both sides; the greatest loss first.',
    parameters: agentParameter,
    sql: `SELECT match, line, move, part, first, second, ending, turns, demanded_least, best_least
      FROM sessions
      WHERE ending <> 'agreed' AND (coalesce(demanded_least, 0) > 0 OR coalesce(best_least, 0) > 0)
        AND (:agent IS NULL OR :agent IN (first, second))
      ORDER BY coalesce(demanded_least, 0) DESC, coalesce(best_least, 0) DESC, match`,
    columns: {
      match: 'the session',
      line: 'the line of its last event in the history',
      move: 'the place of that event in its address',
      part: 'the line of that event, where it has several',
      first: 'the side that began',
      second: 'the other side',
      ending: 'its ending: `not agreed` or `abort`',
      turns: 'number of turns',
      demanded_least: 'the most dollars that a demand gave to both sides at least',
      best_least: 'the most dollars that a division of the objects gives to both sides at least',
    },
    chart: { kind: 'scatter', x: 'demanded_least', y: 'best_least', series: 'ending' },
  },
} as const satisfies Readonly<Record<string, ReadyQuestion>>
