import { setOnboarded, unsetOnboarded } from '#contract/employer-changes.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

const key = { scope: 'row', chord: 'o', toggles: 'employer.onboarded' } as const

/** Sets or clears the flag that an employer has completed onboarding (EMR-005). */
export default [
  defineCommand({
    id: 'employer.onboarded.set',
    title: 'Mark employer as onboarded',
    aliases: ['onboarded'],
    icon: 'check',
    on: employer,
    does: setOnboarded,
    keys: [key],
    undo: ({ before, after }) => undoing(setOnboarded, after, before),
    done: (one) => `${employer.title(one)} is onboarded`,
  }),
  defineCommand({
    id: 'employer.onboarded.unset',
    title: 'Mark employer as not onboarded',
    aliases: ['not onboarded'],
    icon: 'undo',
    on: employer,
    does: unsetOnboarded,
    keys: [key],
    undo: ({ before, after }) => undoing(unsetOnboarded, after, before),
    done: (one) => `${employer.title(one)} is not onboarded`,
  }),
]
