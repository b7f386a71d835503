import { Option, type Command } from 'commander'
import { playMatch, type MatchReport, type PlayMatchOptions } from '../../app/matches.ts'
import { clockMode, type ClockMode, type IsolationTier } from '../../contract/limits.ts'
import { addGroup, addVerb, isolationOption, type Context } from '../context.ts'
import { addGameOptions, gameSettings, type GameOptions } from '../game-options.ts'
import { stoppable } from '../interrupt.ts'
import { safeLine, table } from '../text.ts'

interface PlayOptions extends GameOptions {
  readonly seed: string
  readonly clock: ClockMode
  readonly isolation: IsolationTier
  readonly export?: string
}

/** `tartaglia match play`. */
export function addMatch(program: Command, context: Context): void {
  const { terminal } = context
  const group = addGroup(program, 'match', 'Single matches: play')

  const play = addVerb(
    group,
    'play',
    'Play one match at once; nothing is kept but the export',
    'tartaglia match play --game specker my-agent.js baby',
  )
  addGameOptions(play)
    .argument('<agents...>', 'agent files, or names of agents that ship such as baby; in seat order')
    .option('--seed <text>', 'any text; equal seeds give equal matches', 'tartaglia')
    .addOption(new Option('--clock <mode>', "the agents' Date").choices(clockMode.options).default('frozen'))
    .addOption(isolationOption().default('bubblewrap'))
    .option('--export <file>', "write the match's history, with what its agents printed")
    .action(async (agents: string[], { export: exportTo, seed, clock, isolation, ...game }: PlayOptions) => {
      const settings: Omit<PlayMatchOptions, 'signal'> = {
        ...(await gameSettings(game)),
        agents,
        seed,
        clock,
        isolation,
        onNotice: (text) => terminal.note(text),
        ...(exportTo === undefined ? {} : { exportTo }),
      }
      const say = (): void => terminal.note('Stopping: the match is dropped. Ctrl-C again ends at once.')
      const report = await stoppable(context, say, (signal) => playMatch({ ...settings, signal }))
      terminal.result(report)
      terminal.print(...reportLines(report))
    })
}

const columns = [
  { title: 'seat', align: 'right' },
  { title: 'agent', align: 'left' },
  { title: 'rank', align: 'right' },
  { title: 'score', align: 'right' },
  { title: 'faults', align: 'right' },
] as const

function reportLines({ game, seed, isolation, seats, file }: MatchReport): readonly string[] {
  const rows = seats.map(({ seat, agent, rank, score, faults }) =>
    [seat, agent, rank, score, faults.length].map((cell) => String(cell)),
  )
  const told = seats.flatMap(({ agent, removed, reason, faults, console }) => [
    ...(removed ? [`${agent} was removed${reason === undefined ? '' : `: ${reason}`}`] : []),
    ...faults.map(({ kind, text }) => `${agent}: ${kind}: ${text}`),
    ...console.flatMap((text) => text.trimEnd().split('\n')).map((line) => `${agent} printed: ${line}`),
  ])
  return [
    `${game}, seed "${safeLine(seed)}", agents held by ${isolation}`,
    '',
    ...table(columns, rows),
    ...(told.length === 0 ? [] : ['', ...told.map(safeLine)]),
    ...(file === null ? [] : ['', `History: ${safeLine(file)}`]),
  ]
}
