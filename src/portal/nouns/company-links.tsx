import { employer } from '#entities/employer.ts'
import { organization } from '#entities/organization.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { Fact } from '#portal/record/fact.tsx'
import { RecordLink } from '#portal/record/record-link.tsx'

/** A company as the API names it in a record; employers have a code where people tell them apart by it. */
interface Company {
  id: number
  name: string
  code?: string
}

/** The way to the employer that a record names; a dash where it names none. */
export const EmployerLink = ({ of }: { of: Company | null }) =>
  of ? (
    <RecordLink entity={employer} id={of.id}>
      {of.code ? `${of.name} · ${of.code}` : of.name}
    </RecordLink>
  ) : (
    orDash(null)
  )

/** The way to the organization that a record names. */
export const OrganizationLink = ({ of }: { of: Company }) => (
  <RecordLink entity={organization} id={of.id}>
    {of.name}
  </RecordLink>
)

/** The companies of what an employer is asked for. */
export const CompanyFacts = ({ of }: { of: { employer: Company; organization: Company } }) => (
  <>
    <Fact name="Employer">
      <EmployerLink of={of.employer} />
    </Fact>
    <Fact name="Organization">
      <OrganizationLink of={of.organization} />
    </Fact>
  </>
)
