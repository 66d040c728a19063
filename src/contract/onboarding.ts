import { z } from 'zod'
import { onboardingStates, onboardingSteps } from '#domain/onboarding.ts'
import { endpoint } from '#contract/define.ts'
import { byId } from '#contract/fields.ts'
import { onboardingCalls } from '#contract/onboarding-calls.ts'

/** One step of an employer's onboarding. */
export const OnboardingStepRow = z.object({
  /** `100101-pay-group` */
  id: z.string(),
  employer_id: z.int(),
  organization_id: z.int(),
  step: z.enum(onboardingSteps),
  title: z.string(),
  /** Null if the caller may not see it. */
  state: z.enum(onboardingStates.values).nullable(),
  /** What is set up, or the effect of its absence. */
  detail: z.string(),
})
export type OnboardingStepRow = z.infer<typeof OnboardingStepRow>

export const listOnboardingSteps = endpoint({
  ...onboardingCalls.steps,
  summary: 'What is set for an employer, and what is missing before it can go live',
  tag: 'Employers',
  params: byId,
  answer: z.object({ steps: z.array(OnboardingStepRow) }),
})
