import type { SftpUser } from '#contract/sftp-users.ts'
import { sftpAuthenticationLabels } from '#domain/sftp-user.ts'
import { sshKeyName } from '#domain/ssh-key.ts'
import { organization } from '#entities/organization.ts'
import { Fact } from '#portal/record/fact.tsx'
import { Kept } from '#portal/record/kept.tsx'
import { ThingLink } from '#portal/record/thing-link.tsx'

/** The tab General of an SFTP user: whose it is, and how it proves who it is. */
export function SftpUserGeneral({ one }: { one: SftpUser }) {
  return (
    <>
      <h3>Access</h3>
      <dl className="facts">
        <Fact name="Username">{one.username}</Fact>
        <Fact name="Organization" hint={String(one.organization_id)}>
          <ThingLink entity={organization} id={one.organization_id}>
            {one.organization_name}
          </ThingLink>
        </Fact>
        <Fact name="Authentication">{sftpAuthenticationLabels[one.authentication]}</Fact>
        {one.ssh_key_type && <Fact name="Key type">{sshKeyName(one.ssh_key_type)}</Fact>}
        {one.ssh_key_fingerprint && (
          <Fact name="Fingerprint">
            <span className="font-mono text-small break-all">{one.ssh_key_fingerprint}</span>
          </Fact>
        )}
      </dl>
      <Kept one={one} by={one.created_by} />
    </>
  )
}
