import { sql } from 'kysely'
import type { OnboardingFacts } from '#domain/onboarding.ts'
import { effectiveRow } from '#server/tables/configurations.ts'
import type { Tx } from '#server/tables/database.ts'

/** The onboarding state of an employer that is open to the person; accounts are counted only with `billing`. */
export async function onboardingFacts(
  tx: Tx,
  { id, organization_id, billing }: { id: number; organization_id: number; billing: boolean },
): Promise<OnboardingFacts> {
  const ofEither = sql`(employer_id = ${id} or (employer_id is null and organization_id = ${organization_id}))`
  const mappings = (kind: string) =>
    sql`(select count(*)::int from mappings where employer_id = ${id} and kind = ${sql.lit(kind)})`
  const { rows } = await sql<OnboardingFacts>`
    select manager.name as csm, terms.withdraw_limit_amount as withdraw_limit, lms.payment_method,
      rule.id is not null as deductions, coalesce(rule.receives_confirmations, false) as receives_confirmations,
      (select integrations_folder from configurations where organization_id = organization.id) as integrations_folder,
      (select count(*)::int from pay_groups where employer_id = employer.id) as pay_groups,
      (select count(*)::int from pay_groups where employer_id = employer.id and derived) as derived_pay_groups,
      case when ${billing}::boolean then (select count(*)::int from billing_accounts account
        where account.organization_id = organization.id and status = 'ACTIVE' and (scope = 'ORGANIZATION' or exists (
          select from billing_account_employers link where link.billing_account_id = account.id and link.employer_id = employer.id)))
        end as billing_accounts,
      (select count(*)::int from integrations where ${ofEither}) as integrations,
      (select count(*)::int from integrations where ${ofEither} and import_type = 'TIMEKEEPING') as timekeeping_integrations,
      (select count(*)::int from integrations where ${ofEither} and sftp_type = 'INTERNAL') as sftp_integrations,
      (select count(*)::int from sftp_users where organization_id = organization.id) as sftp_users,
      ${mappings('EMPLOYEE')} as employee_mappings, ${mappings('TIMEKEEPING')} as timekeeping_mappings,
      ${mappings('DEDUCTION')} as ewa_mappings, ${mappings('CONFIRMATION')} as confirmation_mappings,
      (select count(*)::int from data_emails where ${ofEither}) as data_emails,
      (select count(*)::int from employees where employer_id = employer.id) as employees,
      exists (select from encryption_keys where organization_id = organization.id
        and (expires_at is null or expires_at > now())) as encryption,
      employer.status = 'ACTIVE' as active, employer.onboarded
    from employers employer join organizations organization on organization.id = employer.organization_id
    left join customer_success_managers manager on manager.id = organization.csm_id
    left join ${effectiveRow('configurations', id, organization_id)} terms on true
    left join ${effectiveRow('lms_configurations', id, organization_id)} lms on true
    left join ${effectiveRow('deduction_configurations', id, organization_id)} rule on true
    where employer.id = ${id}`.execute(tx)
  return rows[0] as OnboardingFacts
}
