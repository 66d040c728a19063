import { onboardingCalls } from '#contract/onboarding-calls.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'employer.onboarding',
  title: 'Show onboarding of an employer',
  aliases: ['onboarding checklist', 'what is missing', 'go live'],
  button: () => 'Onboarding',
  icon: 'check',
  on: employer,
  reads: onboardingCalls.steps,
  keys: [{ scope: 'row', chord: 's' }],
  act: (desk, one) => desk.open(`${employer.path}/${employer.id(one)}?tab=onboarding`),
})
