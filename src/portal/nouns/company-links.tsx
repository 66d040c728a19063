import { employer } from '#entities/employer.ts'
import { organization } from '#entities/organization.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { Fact } from '#portal/record/fact.tsx'
import { RecordLink } from '#portal/record/record-link.tsx'

/** A company as returned in a record; employers have a code if it is needed to tell them apart. */
interface Company {
  id: number
  name: string
  code?: string
}

/** A link to the employer in a record; a dash without one. */
export const EmployerLink = ({ of }: { of: Company | null }) =>
  of ? (
    <RecordLink entity={employer} id={of.id}>
      {of.code ? `${of.name} · ${of.code}` : of.name}
    </RecordLink>
  ) : (
    orDash(null)
  )

/** A link to the organization in a record. */
export const OrganizationLink = ({ of }: { of: Company }) => (
  <RecordLink entity={organization} id={of.id}>
    {of.name}
  </RecordLink>
)

/** The employer and organization of a record. */
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
