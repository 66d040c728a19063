/**
 * When a file counts as late. Its rhythm is the gap, in days, that `share` of the last `gapsRead` gaps between its arrivals do not
 * exceed: 3 for a file of every working day, whose gaps are 1, 1, 1, 1 and 3, and still 7 for a weekly one that left out a week once.
 */
export const lateFileRule = {
  gapsRead: 10,
  /** Gaps from which on there is a rhythm. */
  minGaps: 3,
  share: 0.9,
  /** Days; files further apart come when they come. */
  maxGap: 45,
  /** Days after its day within which a file is not missed: files come at night. */
  graceDays: 1,
  /** Days after the last file from which on no further one is expected. */
  givenUpAfter: 90,
} as const
