/** Every row of a list that answers by cursor, two hundred at a time. */
export async function readAll<Row>(
  read: (query: Record<string, string>) => Promise<unknown>,
  rowsOf: (answer: unknown) => readonly Row[],
): Promise<Row[]> {
  const found: Row[] = []
  for (let lek: string | null = ''; lek !== null; ) {
    const answer = (await read({ limit: '200', ...(lek ? { lek } : {}) })) as { lek: string | null }
    found.push(...rowsOf(answer))
    lek = answer.lek
  }
  return found
}
