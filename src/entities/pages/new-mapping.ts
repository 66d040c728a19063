import { employer } from '#entities/employer.ts'
import { pathOf } from '#kernel/entity.ts'

/**
 * Address of the page for a new file mapping of an employer. If the kind is given, it is preselected, and the next field has
 * the focus.
 */
export const newMappingPath = (employerId: number | string, kind?: string): string =>
  `${pathOf(employer, String(employerId))}/new-mapping${kind ? `?kind=${kind}#file_name` : ''}`
