/** Password rules with their messages, in display order (AUTH-010 to AUTH-014). */
export const passwordRules = [
  { message: 'At least 8 characters', holds: (password: string) => password.length >= 8 },
  { message: '1 lowercase letter', holds: (password: string) => /[a-z]/.test(password) },
  { message: '1 uppercase letter', holds: (password: string) => /[A-Z]/.test(password) },
  { message: '1 number', holds: (password: string) => /[0-9]/.test(password) },
  { message: '1 special character', holds: (password: string) => /[^A-Za-z0-9\s]/.test(password) },
] as const
