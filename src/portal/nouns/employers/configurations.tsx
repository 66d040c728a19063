import { type Configuration, getLmsConfiguration, type LmsConfiguration, listConfigurations } from '#contract/configurations.ts'
import type { Employer } from '#contract/employers.ts'
import { type DeductionConfiguration, listDeductionConfigurations } from '#contract/deduction-configurations.ts'
import { paymentMethodLabels } from '#contract/invoices.ts'
import type { ReactNode } from 'react'
import { type EmsConfiguration, getEmsConfiguration, listEmsConfigurations } from '#contract/ems-configurations.ts'
import { identifierLabels, isUnlimited, linkLabels, partnerLabels } from '#domain/configuration.ts'
import { formatCents } from '#domain/money.ts'
import { percentageText } from '#portal/format/amount-text.ts'
import { Beside } from '#portal/record/beside.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'

const percent = (points: number): string => `${percentageText.format(points)}%`
/** 0 means none (docs/rules/companies.md). */
const orNone = (value: number, text: (value: number) => string): string => (value === 0 ? 'None' : text(value))

const limitText = ({ withdraw_limit_type: type, withdraw_limit_amount: amount }: Configuration): string =>
  orNone(amount, type === 'PERCENTAGE' ? (value) => `${percent(value)} of what was earned` : formatCents)

const maximum = (one: Configuration, cents: number): string =>
  isUnlimited(one) ? 'Unlimited transfer' : orNone(cents, formatCents)

const days = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`

/** The effective configuration of an employer, or the one inherited from an organization, each value with its origin. */
function ConfigurationFacts({ one, terms }: { one: Configuration; terms?: ReactNode }) {
  const from = (level: Configuration['level'], isSet: boolean) =>
    isSet && one.employer_id !== null && level === 'ORGANIZATION' ? `from ${one.organization_name}` : null
  const [own, handedDown] = [from(one.level, one.id !== null), from(one.terms_level, one.lms_configured)]
  return (
    <>
      {one.id === null && <p className="mb-3 text-muted">Nobody has set a configuration yet. These are the values until then.</p>}
      <Facts title="Withdrawals">
        <Fact name="Withdraw limit" hint={own}>
          {limitText(one)}
        </Fact>
        <Fact name="Maximum per transaction" hint={own}>
          {maximum(one, one.single_withdraw_amount_max)}
        </Fact>
        <Fact name="Maximum per pay period" hint={own}>
          {maximum(one, one.withdraw_amount_max)}
        </Fact>
        <Fact name="Requests per cycle" hint={own}>
          {orNone(one.requests_per_cycle, String)}
        </Fact>
        <Fact name="Transaction fee" hint={own}>
          {orNone(one.transaction_fee, formatCents)}
        </Fact>
      </Facts>
      <Facts title="Timekeeping">
        <Fact name="Approval threshold" hint={own}>
          {orNone(one.timekeeping_approval_threshold, percent)}
        </Fact>
        <Fact name="Daily hours limit" hint={own}>
          {one.daily_hours_limit}
        </Fact>
        <Fact name="Pay codes" hint={own}>
          {one.pay_codes?.join(', ') ?? 'Every pay code'}
        </Fact>
      </Facts>
      <h3>Invoicing</h3>
      {terms ?? <TermFacts one={one} payment={one.auto_ach ? 'AUTO_ACH' : 'SELF_PAY'} from={handedDown} />}
      <Facts title="Partner">
        <Fact name="Partner type" hint={own}>
          {partnerLabels[one.partner_type]}
        </Fact>
        <Fact
          name="Integrations folder"
          hint={one.employer_id !== null && one.integrations_folder && `from ${one.organization_name}`}
        >
          {one.integrations_folder ?? 'None'}
        </Fact>
      </Facts>
    </>
  )
}

type Terms = Pick<
  Configuration,
  'split_invoices' | 'ach_processing_days' | 'invoice_deadline' | 'invoice_net_days' | 'show_amount_per_department_code'
>

/** How invoices are created and paid. */
function TermFacts({ one, payment, from }: { one: Terms; payment: LmsConfiguration['payment_method']; from: string | null }) {
  return (
    <dl className="facts">
      <Fact name="Payment method" hint={from}>
        {paymentMethodLabels[payment]}
      </Fact>
      <Fact name="Split invoices" hint={from}>
        {yesNo(one.split_invoices)}
      </Fact>
      <Fact name="ACH processing days" hint={from}>
        {days(one.ach_processing_days)}
      </Fact>
      <Fact name="Invoice deadline" hint={from}>
        {days(one.invoice_deadline)}
      </Fact>
      <Fact name="Invoice net days" hint={from}>
        {days(one.invoice_net_days)}
      </Fact>
      <Fact name="Amounts by department code" hint={from}>
        {yesNo(one.show_amount_per_department_code)}
      </Fact>
    </dl>
  )
}

const yesNo = (is: boolean): string => (is ? 'Yes' : 'No')

/** How deductions are announced and taken, each value with its origin. */
function DeductionFacts({ one }: { one: DeductionConfiguration }) {
  const from = one.id !== null && one.employer_id !== null && one.level === 'ORGANIZATION' && `from ${one.organization_name}`
  return (
    <Facts title="Deductions">
      <Fact name="Allowed rollover" hint={from}>
        {orNone(one.allowed_rollover_percentage, percent)}
      </Fact>
      <Fact name="Employee identifier" hint={from}>
        {identifierLabels[one.employee_identifier_type]}
      </Fact>
      {switches.map(([name, title]) => (
        <Fact key={name} name={title} hint={from}>
          {yesNo(one[name])}
        </Fact>
      ))}
    </Facts>
  )
}

const switches = [
  ['auto_approve_ewa_file', 'Approve by itself'],
  ['should_send_ewa_file', 'Send EWA files'],
  ['should_send_empty_ewa_file', 'Send empty EWA files'],
  ['send_ewa_email', 'Send EWA e-mail'],
  ['real_time_deductions', 'Real-time deductions'],
  ['receives_confirmations', 'Confirms deductions'],
  ['receive_multiple_confirmations', 'Several confirmations'],
  ['split_confirmation_file', 'Split confirmation file'],
] as const

function EmsFacts({ one }: { one: EmsConfiguration }) {
  const from = one.id !== null && one.employer_id !== null && one.level === 'ORGANIZATION' && `from ${one.organization_name}`
  return (
    <Facts title="Employee management system">
      <Fact name="Link" hint={from}>
        {linkLabels[one.link_type]}
      </Fact>
      {one.partner_external_url && <Fact name="Partner URL">{one.partner_external_url}</Fact>}
    </Facts>
  )
}

const failed = {
  own: 'The configuration could not be loaded.',
  lms: 'The LMS configuration could not be loaded.',
  deductions: 'The deduction configuration could not be loaded.',
  ems: 'The EMS configuration could not be loaded.',
}

/** The tab Configurations of an organization: what its employers inherit. */
export function OrganizationConfigurationTab({ id, version }: { id: string; version: number }) {
  const of = { id, version, query: { 'organization-id': id } }
  return (
    <>
      <Beside endpoint={listConfigurations} {...of} failed={failed.own}>
        {({ configurations: [one] }) => one && <ConfigurationFacts one={one} />}
      </Beside>
      <Beside endpoint={listDeductionConfigurations} {...of} failed={failed.deductions}>
        {({ configurations: [one] }) => one && <DeductionFacts one={one} />}
      </Beside>
      <Beside endpoint={listEmsConfigurations} {...of} failed={failed.ems}>
        {({ configurations: [one] }) => one && <EmsFacts one={one} />}
      </Beside>
    </>
  )
}

/** The tab Configurations of an employer (SCR-030); LMS and EMS have calls of their own (API-064, API-065). */
export function EmployerConfigurations({ one: { id, version } }: { one: Employer }) {
  const of = { id: String(id), version }
  const query = { 'employer-id': of.id }
  return (
    <>
      <Beside endpoint={listConfigurations} {...of} query={query} failed={failed.own}>
        {({ configurations: [one] }) =>
          one && (
            <ConfigurationFacts
              one={one}
              terms={
                <Beside endpoint={getLmsConfiguration} {...of} failed={failed.lms}>
                  {(lms) => (
                    <TermFacts
                      one={lms}
                      payment={lms.payment_method}
                      from={lms.id !== null && lms.level === 'ORGANIZATION' ? `from ${one.organization_name}` : null}
                    />
                  )}
                </Beside>
              }
            />
          )
        }
      </Beside>
      <Beside endpoint={listDeductionConfigurations} {...of} query={query} failed={failed.deductions}>
        {({ configurations: [one] }) => one && <DeductionFacts one={one} />}
      </Beside>
      <Beside endpoint={getEmsConfiguration} {...of} failed={failed.ems}>
        {(one) => <EmsFacts one={one} />}
      </Beside>
    </>
  )
}
