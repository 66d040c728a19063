/** A part of a list that people work on: its filters, sort order and columns, as in the address. */
export interface NamedView {
  id: string
  title: string
  /** Empty for all rows. */
  search: string
}

/** The named views of lists, by path. A list opens on the first one: on open work, not on drafts. */
export const namedViews: Readonly<Record<string, readonly NamedView[]>> = {
  '/invoices': [
    { id: 'open', title: 'Open', search: 'status_type=is_not&status_value=DRAFT,CLOSED,REFUNDED&sort=due_date' },
    { id: 'overdue', title: 'Overdue', search: 'status_type=is&status_value=OVERDUE&sort=due_date' },
    { id: 'in-review', title: 'In review', search: 'status_type=is&status_value=ON_DEDUCTION_FILE&sort=due_date' },
    { id: 'overpaid', title: 'Overpaid', search: 'status_type=is&status_value=OVERPAID' },
    { id: 'all', title: 'All', search: '' },
  ],
  '/write-offs': [
    { id: 'pending', title: 'Pending', search: 'status_type=is&status_value=PENDING' },
    { id: 'all', title: 'All', search: '' },
  ],
  '/timekeeping': [
    { id: 'pending', title: 'Pending', search: 'status_type=is&status_value=PENDING' },
    { id: 'all', title: 'All', search: '' },
  ],
  '/deductions': [
    { id: 'pending', title: 'Pending', search: 'status_type=is&status_value=PENDING' },
    { id: 'all', title: 'All', search: '' },
  ],
}

/** The address at which a list opens: its first view. */
export function startOf(path: string): string {
  const search = namedViews[path]?.[0]?.search
  return search ? `${path}?${search}` : path
}

const filtersIn = (search: URLSearchParams): string =>
  [...search]
    // 'is empty' has no value, whether or not the address says so.
    .filter(([name, value]) => /_(type|value)$/.test(name) && value !== '')
    .map((each) => each.join('='))
    .sort()
    .join('&')

/** The sort order and the columns in an address. */
const orderIn = (search: URLSearchParams): string => ['sort', 'order', 'columns'].map((name) => search.get(name)).join(' ')

/** Whether an address also has the sort order and the columns of a view. */
export const isInOrder = (view: Pick<NamedView, 'search'>, search: URLSearchParams): boolean =>
  orderIn(new URLSearchParams(view.search)) === orderIn(search)

/** Whether an address has the filters, the sort order and the columns of a view. */
export const isSameView = (view: Pick<NamedView, 'search'>, search: URLSearchParams): boolean => {
  const own = new URLSearchParams(view.search)
  return filtersIn(own) === filtersIn(search) && orderIn(own) === orderIn(search)
}

/**
 * The view whose filters equal those of an address, ignoring the search text: among several the one with its sort order and
 * columns, else the first. Null if there is none.
 */
export function viewIn<View extends NamedView>(views: readonly View[], search: URLSearchParams): View | null {
  const here = views.filter((view) => filtersIn(new URLSearchParams(view.search)) === filtersIn(search))
  return here.find((view) => isInOrder(view, search)) ?? here[0] ?? null
}
