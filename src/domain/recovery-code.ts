/** Number of recovery codes that a person gets when they set up an authenticator. */
export const recoveryCodeCount = 10

/** Characters of a code, without separators: 80 random bits in base 32. */
export const recoveryCodeLength = 16

/** Crockford's base 32: no letter that is mistaken for a digit or for another letter. */
export const recoveryAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A code as it is shown: `7K2M-90QX-TB4E-HV6R`. */
export const groupRecoveryCode = (code: string): string => code.match(/.{4}/g)?.join('-') ?? code

/**
 * A typed recovery code in the form in which it is compared: capitals without separators, with O read as 0 and I and L as 1, as
 * Crockford's base 32 has it. Null where it is no recovery code.
 */
export function parseRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return code.length === recoveryCodeLength && [...code].every((sign) => recoveryAlphabet.includes(sign)) ? code : null
}
