/** Words and names for the generated rows of the benches. */
export const verbs = ['Pause', 'Resume', 'Promote', 'Transfer', 'Terminate', 'Review', 'Edit', 'Show']
export const firstNames =
  'Maria James Wei Fatima Olga Ahmed Priya Lucas Hannah Kofi Yuki Elena Omar Sofia Liam Noor Pedro Anna Tariq Greta Ivan Chloe Diego'.split(
    ' ',
  )
export const lastNames =
  'Lopez Garcia Smith Chen Khan Ivanova Sato Mueller Okafor Silva Patel Rossi Novak Haddad Jensen Dubois Kim Brown Costa Ali Moreau Kowalski Nguyen Reyes Larsen Cohen Adeyemi Fischer Singh'.split(
    ' ',
  )

/** The word at an index, modulo the number of words. */
export const pick = (list: readonly string[], index: number): string => list[index % list.length] as string
