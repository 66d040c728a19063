import type { Organization } from '#contract/organizations.ts'
import { companyStatuses } from '#domain/company.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { Fact } from '#portal/record/fact.tsx'
import { Kept } from '#portal/record/kept.tsx'
import { BrandMark } from '#portal/ui/brand-mark.tsx'
import { Status } from '#portal/ui/status.tsx'

/** The tab General of an organization (SCR-021). */
export function OrganizationGeneral({ one }: { one: Organization }) {
  return (
    <>
      <h3>Names</h3>
      <dl className="facts">
        <Fact name="Name">{one.name}</Fact>
        <Fact name="Lookup name">{one.lookup_name}</Fact>
        <Fact name="Source code">{one.source_code}</Fact>
        <Fact name="Brand">
          <BrandMark brand={one.brand} />
        </Fact>
      </dl>
      <h3>State</h3>
      <dl className="facts">
        <Fact name="Status">
          <Status of={companyStatuses} state={one.status} />
        </Fact>
        <Fact name="Employers" hint={`${one.active_employer_count} active`}>
          {one.employer_count}
        </Fact>
        <Fact name="Customer success manager">{orDash(one.csm?.name)}</Fact>
        <Fact name="Notes">{orDash(one.notes)}</Fact>
      </dl>
      <Kept one={one} />
    </>
  )
}
