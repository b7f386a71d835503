import { evaluate } from '../../formulas/index.ts'
import type { Surroundings } from '../check-limits.ts'
import { randomChooser } from './chooser.ts'
import { DeadEnd } from './dead-end.ts'
import { domainOf } from './domain.ts'
import { makeList } from './make-list.ts'
import type { ElementMaker, MakerContext } from './make-list.ts'
import type { ListPlan, Plan } from '../plan.ts'

/** The budget of steps: enough to generate any list for which a person writes rules. */
const STEPS = 100_000

/**
 * Reports fields whose rules are constant and which no value can meet, so that these problems are found when a file is
 * read. Rules that depend on a value fail only when one is generated.
 */
export function emptyRules(
  plans: readonly Plan[],
  around: Surroundings,
  run: Pick<MakerContext, 'defaults' | 'valid'>,
): void {
  const { program } = around.subject
  const fields = plans.flatMap((plan) => (plan.kind === 'class' ? plan.fields.map((field) => field.plan) : []))
  for (const plan of fields) {
    if (!isConstant(plan, around.constants)) continue
    const tried = evaluate(
      (frame) => {
        if (plan.kind === 'lexical') return domainOf(plan, frame, run.defaults, run.valid)
        return plan.kind === 'list'
          ? makeList(lexicalPart(plan), shortestMaker({ ...run, frame, places: around.places }))
          : null
      },
      program.size,
      [],
      STEPS,
    )
    if (!tried.ok || !(tried.value instanceof DeadEnd)) continue
    const { at, message, reach } = tried.value
    if (at !== null && reach !== 'end') program.report(at, message, undefined, { code: 'rule-form' })
  }
}

function isConstant(plan: Plan, constants: WeakSet<object>): boolean {
  if (plan.kind === 'lexical') return plan.limits.every((limit) => constants.has(limit))
  if (plan.kind !== 'list' || !plan.lengths.every((limit) => constants.has(limit))) return false
  return plan.of.kind !== 'lexical' || isConstant(plan.of, constants)
}

/** For a list of objects only the length is checked, not `distinct`, because enumerating objects is expensive. */
function lexicalPart(plan: ListPlan): ListPlan {
  return plan.of.kind === 'lexical' ? plan : { ...plan, distinct: null, sorted: null }
}

function shortestMaker(surroundings: MakerContext): ElementMaker {
  let state = 1
  // Any varying numbers will do (the generator of Park and Miller).
  const chooser = randomChooser(() => (state = (state * 48_271) % 0x7fff_ffff))
  const maker: ElementMaker = { surroundings, chooser, crowded: true, make: () => null, trying: () => maker }
  return maker
}
