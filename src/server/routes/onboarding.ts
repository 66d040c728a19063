import { listOnboardingSteps } from '#contract/onboarding.ts'
import { validateOnboarding } from '#domain/onboarding.ts'
import { all, may } from '#domain/permissions.ts'
import { route } from '#server/http/route.ts'
import { existing } from '#server/http-error.ts'
import { oneEmployer } from '#server/tables/employers.ts'
import { onboardingFacts } from '#server/tables/onboarding.ts'

export const routes = [
  route(listOnboardingSteps, async ({ tx, actor, params: { id } }) => {
    const employer = existing(await oneEmployer(tx, actor, id))
    const { organization_id } = employer
    const billing = may(actor.held, all('read:billing')) === 'yes'
    const facts = await onboardingFacts(tx, { id, organization_id, billing })
    const steps = validateOnboarding(facts).map((each) => ({
      id: `${id}-${each.step}`,
      employer_id: id,
      organization_id,
      ...each,
    }))
    return { steps }
  }),
]
