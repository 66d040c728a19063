/** What people call the settings of a company: aliases of the commands that edit them. */
export const configurationAliases = [
  ...['settings', 'withdraw limit', 'transaction fee', 'fee', 'fees', 'limits'],
  ...['change limit', 'increase limit', 'raise limit'],
] as const
