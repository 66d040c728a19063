import type { CallHead } from '#contract/define.ts'
import { all } from '#domain/permissions.ts'

/** The call for the onboarding steps of an employer, without its schema, for the command that opens them. */
export const onboardingCalls = {
  steps: { method: 'GET', path: '/employers/{id}/onboarding', needs: all('read:employers'), extension: true },
} as const satisfies Readonly<Record<string, CallHead>>
