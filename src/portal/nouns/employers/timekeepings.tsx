import type { Employer } from '#contract/employers.ts'
import { employerTimekeepingFilters, listEmployerTimekeeping } from '#contract/timekeeping.ts'
import { employer } from '#entities/employer.ts'
import { timeEntry } from '#entities/time-entry.ts'
import timekeeping from '#portal/nouns/timekeeping/list.tsx'
import { narrowed, tabList } from '#portal/record/tab-list.tsx'

/** The tab Timekeepings of an employer (SCR-037, API-044). */
export const EmployerTimekeepings = tabList<Employer>({
  of: employer,
  tab: 'timekeepings',
  rows: timeEntry,
  list: (one) =>
    narrowed(
      timekeeping,
      {},
      {
        shown: ['employee', 'worked', 'status', 'earned', 'hours'],
        none: 'No time was reported for this employer.',
        filters: employerTimekeepingFilters,
        source: {
          endpoint: listEmployerTimekeeping,
          at: () => ({ id: employer.id(one) }),
          inWhole: ({ start, end, ...query }) => ({
            ...query,
            ...(start === undefined ? {} : { 'worked-from': start }),
            ...(end === undefined ? {} : { 'worked-to': end }),
            'employer-id': employer.id(one),
          }),
        },
      },
    ),
})
