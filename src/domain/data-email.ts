/** What may be in the files that an address sends (ENT-133). */
export const dataEmailTypes = ['ELIGIBLE_EMPLOYEE', 'TIMEKEEPING'] as const
export type DataEmailType = (typeof dataEmailTypes)[number]
export const dataEmailLabels: Readonly<Record<DataEmailType, string>> = {
  ELIGIBLE_EMPLOYEE: 'Eligible employee',
  TIMEKEEPING: 'Timekeeping',
}

/** The other one of the two. */
export const otherType = (type: DataEmailType): DataEmailType => (type === 'TIMEKEEPING' ? 'ELIGIBLE_EMPLOYEE' : 'TIMEKEEPING')

/** Said of an address whose local part is a number that begins with a zero (DEM-004). */
export const zeroFirst = 'email number must not start with zero'

/** Whether the part before the @ is a number that begins with a zero, `007@example.com`. */
export const startsWithZero = (email: string): boolean => /^0\d*@/.test(email.trim())

/** Said of an address that is that of the other type (DEM-002). */
export const sameAsOther = (type: DataEmailType): string =>
  `This is the ${dataEmailLabels[otherType(type)].toLowerCase()} e-mail. Use another one.`
/** Said of an address that is there already (DEM-003). */
export const existsAlready = (type: DataEmailType): string => `This ${dataEmailLabels[type].toLowerCase()} e-mail exists already.`
