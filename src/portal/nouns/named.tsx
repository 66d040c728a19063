import type { AnyEntity } from '#kernel/entity.ts'
import { ThingLink } from '#portal/record/thing-link.tsx'

interface NamedProps {
  title: string
  /** Said where there is none. */
  none: string
  entity: AnyEntity
  things: readonly { id: number; name: string; organization_name?: string }[]
}

/** Companies by name, each of which leads to its record. */
export const Named = ({ title, none, entity, things }: NamedProps) => (
  <>
    <h3>{title}</h3>
    {things.length === 0 ? (
      <p className="text-muted">{none}</p>
    ) : (
      <ul className="names">
        {things.map(({ id, name, organization_name }) => (
          <li key={id}>
            <ThingLink entity={entity} id={id}>
              {name}
            </ThingLink>{' '}
            <span className="text-muted">{organization_name}</span>
          </li>
        ))}
      </ul>
    )}
  </>
)
