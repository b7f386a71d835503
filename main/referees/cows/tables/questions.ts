import { agentParameter, type ReadyQuestion } from '../../../contract/game/event-tables.ts'

/** The questions about contests of Cows and Herders. */
export const questions = {
  'cows-lost': {
    title: 'Cows lost',
    about:
      'The cows that came into the corral of the other team although a herder of this one had been nearest to them, in the order of the matches.',
    parameters: agentParameter,
    sql: `SELECT match, line, move, step, driver AS agent, team AS opponent, cow, distance
      FROM captures
      WHERE driver_seat IS NOT NULL AND driver_seat <> team_seat AND (:agent IS NULL OR driver = :agent)
      ORDER BY match, move, cow`,
    columns: {
      match: 'the match',
      line: 'the line of the step in the history',
      move: 'the place of the step in its address',
      step: 'the number of the step, from 0',
      agent: 'the team that lost it',
      opponent: 'the team that caught it',
      cow: 'the number of the cow',
      distance: 'cells from the nearest herder to the cow',
    },
    chart: { kind: 'scatter', x: 'step', y: 'distance', series: 'agent' },
  },
  'idle-herders': {
    title: 'Idle herders',
    about: 'The share of steps in which each herder stood still, and its longest rest, the laziest herder first.',
    parameters: agentParameter,
    sql: `SELECT team AS agent, herder, count(*) AS matches,
        1.0 * sum(steps - moved) / sum(steps) AS idle, 1.0 * sum(skipped) / sum(steps) AS skipped,
        1.0 * sum(failed) / sum(steps) AS failed, 1.0 * sum(unanswered) / sum(steps) AS unanswered,
        max(longest_rest) AS longest_rest, match, line, move
      FROM herders
      WHERE :agent IS NULL OR team = :agent
      GROUP BY team, herder
      ORDER BY idle DESC, team, herder`,
    columns: {
      agent: 'the team',
      herder: 'the number of the herder, from 0',
      matches: 'number of its matches',
      idle: 'the share of steps in which it did not move',
      skipped: 'the share of steps in which it skipped',
      failed: 'the share of steps in which it could not move',
      unanswered: 'the share of steps without an answer in time',
      longest_rest: 'the most steps in a row in which it did not move',
      match: 'the match of that rest',
      line: 'the line of its first step in the history',
      move: 'the place of that step in its address',
    },
    chart: { kind: 'heat', x: 'herder', y: 'agent', value: 'idle' },
  },
} as const satisfies Readonly<Record<string, ReadyQuestion>>
