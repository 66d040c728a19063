/** A whole number as people read it: `9,880`. */
export const wholeNumber = (count: number): string => count.toLocaleString('en-US')
