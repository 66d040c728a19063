import type { Organization } from '#contract/organizations.ts'
import { fingerprintText } from '#domain/public-key.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { Icon } from '#portal/ui/icon.tsx'

/** The tab Encryption of an organization (SCR-024): the public key for its EWA files. */
export function OrganizationEncryption({ one: { encryption } }: { one: Organization }) {
  if (!encryption)
    return (
      <p className="text-muted">No encryption key, or none that you have access to. Without one EWA files are not encrypted.</p>
    )
  const { fingerprint, user_ids, algorithm, created_at, expires_at, added_at } = encryption
  const expired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  return (
    <>
      {expired && (
        <p className="mb-3 flex items-center gap-2" role="alert">
          <Icon name="alert" className="text-bad" /> This key has expired. EWA files cannot be downloaded until there is a new
          one.
        </p>
      )}
      <Facts title="Public key">
        <Fact name="Fingerprint">
          <span className="font-mono text-small">{fingerprintText(fingerprint)}</span>
        </Fact>
        <Fact name="Owner">{user_ids.join(', ') || '—'}</Fact>
        <Fact name="Algorithm">{algorithm}</Fact>
        <Fact name="Made">{dateAndTime(created_at)}</Fact>
        <Fact name="Expires">{expires_at === null ? 'Never' : dateAndTime(expires_at)}</Fact>
        <Fact name="Added">{dateAndTime(added_at)}</Fact>
      </Facts>
    </>
  )
}
