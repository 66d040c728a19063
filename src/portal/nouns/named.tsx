import type { AnyEntity } from '#kernel/entity.ts'
import { RecordLink } from '#portal/record/record-link.tsx'

interface NamedProps {
  title: string
  /** Text if there is none. */
  none: string
  entity: AnyEntity
  records: readonly { id: number; name: string; organization_name?: string }[]
}

/** Companies by name, each a link to its record. */
export const Named = ({ title, none, entity, records }: NamedProps) => (
  <>
    <h3>{title}</h3>
    {records.length === 0 ? (
      <p className="text-muted">{none}</p>
    ) : (
      <ul className="names">
        {records.map(({ id, name, organization_name }) => (
          <li key={id}>
            <RecordLink entity={entity} id={id}>
              {name}
            </RecordLink>{' '}
            <span className="text-muted">{organization_name}</span>
          </li>
        ))}
      </ul>
    )}
  </>
)
