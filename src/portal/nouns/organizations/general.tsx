import type { Organization } from '#contract/organizations.ts'
import { companyStatuses } from '#domain/company.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { Kept } from '#portal/record/kept.tsx'
import { BrandMark } from '#portal/ui/brand-mark.tsx'
import { statusOf } from '#portal/ui/status.tsx'

/** The tab General of an organization (SCR-021). */
export function OrganizationGeneral({ one }: { one: Organization }) {
  return (
    <>
      <Facts title="Names">
        <Fact name="Name">{one.name}</Fact>
        <Fact name="Lookup name">{one.lookup_name}</Fact>
        <Fact name="Source code">{one.source_code}</Fact>
        <Fact name="Brand">
          <BrandMark brand={one.brand} />
        </Fact>
      </Facts>
      <Facts title="State">
        <Fact name="Status">{statusOf(companyStatuses, one.status)}</Fact>
        <Fact name="Employers" hint={`${one.active_employer_count} active`}>
          {one.employer_count}
        </Fact>
        <Fact name="Customer success manager">{orDash(one.csm?.name)}</Fact>
        <Fact name="Notes">{orDash(one.notes)}</Fact>
      </Facts>
      <Kept one={one} />
    </>
  )
}
