/** Every row of a cursor-paginated list, 200 per page. */
export async function readAll<Answer extends { lek: string | null }, Row>(
  read: (query: Record<string, string>) => Promise<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
): Promise<Row[]> {
  const found: Row[] = []
  for (let lek: string | null = ''; lek !== null; ) {
    const answer: Answer = await read({ limit: '200', ...(lek ? { lek } : {}) })
    found.push(...rowsOf(answer))
    lek = answer.lek
  }
  return found
}
