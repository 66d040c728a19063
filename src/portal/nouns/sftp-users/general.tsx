import { getSftpUserAccess, type SftpUser, type SftpUserAccess } from '#contract/sftp-users.ts'
import { mappingKindLabels } from '#domain/mapping-fields.ts'
import { sftpFilesLeave, sftpFolder } from '#domain/sftp-connection.ts'
import { sftpAuthenticationLabels } from '#domain/sftp-user.ts'
import { sshKeyName } from '#domain/ssh-key.ts'
import { organization } from '#entities/organization.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { Beside } from '#portal/record/beside.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { Kept } from '#portal/record/kept.tsx'
import { linkTo } from '#portal/record/record-link.tsx'

/** Facts to give the customer, and the sign-in history. */
const Access = ({ access: { address, host_keys, file_names, last_sign_in, failed_attempts } }: { access: SftpUserAccess }) => (
  <>
    <Facts title="Tell the customer">
      <Fact name="Host">{address ? address.host : 'This server takes no files by SFTP.'}</Fact>
      {address && <Fact name="Port">{address.port}</Fact>}
      {host_keys.map(({ type, fingerprint }) => (
        <Fact key={type} name="Host key" hint={type}>
          <span className="font-mono text-small break-all">{fingerprint}</span>
        </Fact>
      ))}
      <Fact name="Folder">{sftpFolder}</Fact>
      <Fact name="File names">
        {file_names.length === 0
          ? 'No employer of the organization has a file mapping yet.'
          : file_names.map(({ file_name, employer_name, kind }) => (
              <div key={`${file_name} ${employer_name}`}>
                {file_name} <span className="text-muted">{`${mappingKindLabels[kind]}, ${employer_name}`}</span>
              </div>
            ))}
      </Fact>
      <Fact name="Taken files">{sftpFilesLeave}</Fact>
    </Facts>
    <Facts title="Sign-in">
      <Fact name="Last sign-in" hint={last_sign_in && `from ${last_sign_in.from}`}>
        {last_sign_in ? dateAndTime(last_sign_in.at) : 'Never'}
      </Fact>
      <Fact
        name="Failed since"
        hint={failed_attempts && `${failed_attempts.reason}, last ${dateAndTime(failed_attempts.last_at)}`}
      >
        {failed_attempts?.count ?? 'None'}
      </Fact>
    </Facts>
  </>
)

/** The tab General of an SFTP user: owner, authentication, facts for the customer, and sign-ins. */
export function SftpUserGeneral({ one }: { one: SftpUser }) {
  return (
    <>
      <Facts title="Access">
        <Fact name="Username">{one.username}</Fact>
        <Fact name="Organization" hint={String(one.organization_id)}>
          {linkTo(organization, one.organization_id, one.organization_name)}
        </Fact>
        <Fact name="Authentication">{sftpAuthenticationLabels[one.authentication]}</Fact>
        {one.ssh_key_type && <Fact name="Key type">{sshKeyName(one.ssh_key_type)}</Fact>}
        {one.ssh_key_fingerprint && (
          <Fact name="Fingerprint">
            <span className="font-mono text-small break-all">{one.ssh_key_fingerprint}</span>
          </Fact>
        )}
      </Facts>
      <Beside
        endpoint={getSftpUserAccess}
        id={String(one.id)}
        version={one.version}
        failed="The connection details could not be loaded."
      >
        {(access: SftpUserAccess) => <Access access={access} />}
      </Beside>
      <Kept one={one} by={one.created_by} />
    </>
  )
}
