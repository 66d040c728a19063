/**
 * When a file counts as late. Its rhythm is the `share` quantile of the last `gapsRead` gaps between arrivals, in days: 3 for a
 * file of every working day, whose gaps are 1, 1, 1, 1 and 3, and still 7 for a weekly one that skipped a week once.
 */
export const lateFileRule = {
  gapsRead: 10,
  /** Minimum number of gaps for a rhythm. */
  minGaps: 3,
  share: 0.9,
  /** Days; files with larger gaps have no rhythm. */
  maxGap: 45,
  /** Days after the expected day before a file counts as missing: files arrive at night. */
  graceDays: 1,
  /** Days after the last file from which no further one is expected. */
  givenUpAfter: 90,
} as const
