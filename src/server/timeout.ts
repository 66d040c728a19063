/** Waits for `work`, but at most `milliseconds`; returns whether it finished. Its failure is thrown. */
export const isOverWithin = (milliseconds: number, work: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds, false)
    work.then(
      () => {
        clearTimeout(timer)
        resolve(true)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
