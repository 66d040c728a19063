/** The two lists of people, as the tabs above each of them (SCR-038, SCR-039). */
export const peopleLists = [
  { title: 'Employee Data', path: '/employees' },
  { title: 'User Data', path: '/users' },
] as const
