/** Kinds of files that an address may send (ENT-133). */
export const dataEmailTypes = ['ELIGIBLE_EMPLOYEE', 'TIMEKEEPING'] as const
export type DataEmailType = (typeof dataEmailTypes)[number]
export const dataEmailLabels: Readonly<Record<DataEmailType, string>> = {
  ELIGIBLE_EMPLOYEE: 'Eligible employee',
  TIMEKEEPING: 'Timekeeping',
}

/** The other one of the two. */
export const otherType = (type: DataEmailType): DataEmailType => (type === 'TIMEKEEPING' ? 'ELIGIBLE_EMPLOYEE' : 'TIMEKEEPING')

/** Message for an address whose local part is a number with a leading zero (DEM-004). */
export const zeroFirst = 'email number must not start with zero'

/** Whether the local part is a number with a leading zero, `007@example.com`. */
export const startsWithZero = (email: string): boolean => /^0\d*@/.test(email.trim())

/** Message for an address that is already used for the other type (DEM-002). */
export const sameAsOther = (type: DataEmailType): string =>
  `This is the ${dataEmailLabels[otherType(type)].toLowerCase()} e-mail. Use another one.`
/** Message for an address that exists already (DEM-003). */
export const existsAlready = (type: DataEmailType): string => `This ${dataEmailLabels[type].toLowerCase()} e-mail exists already.`
