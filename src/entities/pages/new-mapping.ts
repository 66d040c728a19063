import { employer } from '#entities/employer.ts'
import { pathOf } from '#kernel/entity.ts'

/** The page of a new file mapping of an employer; where the kind of its files is known, it is chosen, and the keyboard behind it. */
export const newMappingPath = (employerId: number | string, kind?: string): string =>
  `${pathOf(employer, String(employerId))}/new-mapping${kind ? `?kind=${kind}#file_name` : ''}`
