import type { CaseView } from '../../../main/contract/cases/case-procedures.ts'
import type { WantedAct } from '../../../main/contract/cases/case-record.ts'
import type { CaseTexts } from './unsent-texts.ts'

/** Takes a step in the case that is shown. Rejects with a CallFailure. */
export type TakeStep = (act: WantedAct) => Promise<void>

/** The props of a form with steps of a case. */
export interface StepProps {
  readonly detail: CaseView
  readonly take: TakeStep
}

/** The props of a form in which people type. */
export interface TextStepProps extends StepProps {
  readonly texts: CaseTexts
}
