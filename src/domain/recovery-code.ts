/** Number of recovery codes that a person gets with an authenticator. */
export const recoveryCodeCount = 10

/** Length of a code without separators: 80 random bits in base 32. */
export const recoveryCodeLength = 16

/** Crockford's base 32: no letters that are mistaken for a digit or another letter. */
export const recoveryAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A code for display: `7K2M-90QX-TB4E-HV6R`. */
export const groupRecoveryCode = (code: string): string => code.match(/.{4}/g)?.join('-') ?? code

/**
 * Normalizes a typed recovery code for comparison: upper case without separators, O as 0 and I and L as 1, as in Crockford's
 * base 32. Null if it is not a recovery code.
 */
export function parseRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return code.length === recoveryCodeLength && [...code].every((sign) => recoveryAlphabet.includes(sign)) ? code : null
}
