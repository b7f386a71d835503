import type { Command } from 'commander'
import { platform } from 'node:process'
import { ExpectedError } from '../../contract/expected-error.ts'
import { ownAgent } from '../../services/agents/own-agent.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { configFolder, onlyKeptOrigin } from '../../services/remote-class/kept-sign-ins.ts'
import { groupsOf } from '../../services/remote-class/certificate-pin.ts'
import {
  submitAgent,
  type Accepted,
  type SubmitOptions,
  type Submitted,
} from '../../services/remote-class/submit-agent.ts'
import { addVerb, folderName, type Context } from '../context.ts'
import { stoppable } from '../interrupt.ts'
import { verdictText, type Terminal } from '../terminal.ts'
import { safeLine } from '../text.ts'

interface Options {
  readonly to?: string
  readonly contest?: string
  readonly note?: string
  readonly agent?: string
  readonly game?: string
  readonly fingerprint?: string
  readonly receipts: string
}

/** By the state of the trial; a refused file and a wrong request have 2. */
const exitCodes = { passed: 0, failed: 1, void: 3, unknown: 3 } as const

const help = `
The first time, the terminal shows a code. Type it in the class in your browser,
under My account, and this terminal is signed in until you end it there, or do
not use it for 12 hours. It may only hand in. The sign-in is kept in
$XDG_CONFIG_HOME/tartaglia/tokens.json (or ~/.config), readable by you alone,
with the certificate of the class: if another one answers later, nothing is sent.

Exit codes:
  0  accepted, and the trial match passed
  1  accepted, and the trial match failed
  2  refused: the file is not an agent, or the request is wrong
  3  the class cannot be reached, or could not judge the agent

With --json: {"class", "name", "contest", "file", "bytes", "sha256", "agent",
"version", "attempt", "receipt": {"n", "head", "received", "time", "file"},
"time", "note", "link", "trial": {"state", "text", "link"}}. "state" is passed,
failed, void (the class could not judge it) or unknown (it was not reached any
more). The "link" of a trial leads to its match, and is null if it was not played.`

/** `tartaglia submit FILE --to URL`: hands in an agent at a class on the network. */
export function addSubmit(program: Command, context: Context): void {
  const { terminal, environment, done } = context
  addVerb(
    program,
    'submit',
    'Hand in an agent for your team at a class on the network, and wait for its trial match',
    'tartaglia submit agent.cjs --to https://192.0.2.7:8443 --contest week-2-1',
  )
    .argument(
      '[file]',
      'a script, a package, a folder, or - for a script from standard input (default: the agent here)',
    )
    .option(
      '--to <url>',
      'the address of the class, as in the browser; http:// for this machine alone (default: the only class in which this terminal is signed in)',
    )
    .option('--contest <contest>', 'the contest for which it is handed in, by its id')
    .option('--note <text>', 'a note for your team on this version')
    .option('--agent <name>', 'the agent of which it is a version, or the name of a new one')
    .option('--game <name>', "the game (default: that of the kit, the contest or the team's agents)")
    .option('--fingerprint <hex>', 'the fingerprint of the certificate that the educator shows')
    .option('--receipts <folder>', 'write the receipt into this folder', folderName, '.')
    .addHelpText('after', help)
    .action(async (named: string | undefined, given: Options) => {
      const config = configFolder(environment.env)
      const path = named ?? ownAgent().agent
      const to = given.to ?? onlyKeptOrigin(config)
      if (to === null) throw noAddress()
      const submitted = await stoppable(context, 'Stopping. Press Ctrl-C again to quit at once.', (signal) =>
        submitAgent({
          ...{ path, to, contest: given.contest ?? null, note: given.note ?? '' },
          ...{ agent: given.agent ?? null, game: given.game ?? null, fingerprint: given.fingerprint ?? null },
          ...{ receipts: given.receipts, config, signal },
          agentName: `Tartaglia ${manifest.version} in a terminal (${platform})`,
          ...reports(terminal),
          onAccepted: (facts) => terminal.print(...acceptedLines(facts)),
        }),
      )
      terminal.output('submit', submitted)
      terminal.print(...verdictLines(terminal, submitted))
      done(exitCodes[submitted.trial.state])
    })
}

const noAddress = (): ExpectedError =>
  new ExpectedError(
    'usage',
    'option-missing',
    'Say to which class: --to ADDRESS. It may be left out where this terminal is signed in at one class alone.',
  )

/** On stderr, so that stdout has the result alone. */
function reports({ note }: Terminal): Pick<SubmitOptions, 'onCode' | 'onSignedIn' | 'onProgress'> {
  return {
    onCode({ origin, userCode, until, fingerprint }) {
      note(`Sign this terminal in: open ${origin} in a browser, sign in, and open My account: ${origin}/#/me`)
      note(`Type this code there, under "Sign in a terminal": ${userCode}`)
      note(`It is valid until ${new Date(until).toLocaleTimeString()}.`)
      if (fingerprint === null) return
      note('The certificate of the class is self-made. Compare its SHA-256 fingerprint with the one that the educator')
      note(`shows, and confirm only if it is the same: ${groupsOf(fingerprint)}`)
    },
    onSignedIn: (name) => note(`Signed in as ${name}.`),
    onProgress: note,
  }
}

function acceptedLines({ file, agent, version, contest, sha256, time, note, receipt }: Accepted): readonly string[] {
  const where = contest === null ? '' : ` for ${safeLine(contest)}`
  return [
    `${safeLine(file)} was handed in as version ${version} of "${safeLine(agent)}"${where}.`,
    ...[time, note].flatMap((text) => (text === null ? [] : `    ${safeLine(text)}`)),
    `    receipt ${receipt.n}${receipt.file === null ? '' : `, in ${safeLine(receipt.file)}`}; SHA-256 ${sha256}`,
  ]
}

function verdictLines(terminal: Terminal, { file, trial, link }: Submitted): readonly string[] {
  const name = safeLine(file)
  const { state, text } = trial
  if (state === 'passed' || state === 'failed') {
    const words = text === '' ? 'It played its trial match.' : text
    const verdict = `${name}: ${verdictText(terminal, { ok: state === 'passed', text: words })}`
    return state === 'passed' ? [verdict] : [verdict, `    see its trial match: ${safeLine(trial.link ?? link)}`]
  }
  const why = state === 'void' ? 'not judged' : 'handed in, verdict not known yet'
  return [`${name}: ${terminal.paint('yellow', why)}: ${safeLine(text)}`, `    see your hand-ins: ${safeLine(link)}`]
}
