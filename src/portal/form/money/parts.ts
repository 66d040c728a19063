import { Changed } from '#portal/form/money/changed.tsx'
import { Consequences } from '#portal/form/money/consequences.tsx'
import { LinesField } from '#portal/form/money/lines-field.tsx'
import { LinesShown } from '#portal/form/money/lines-table.tsx'
import { Sums } from '#portal/form/money/sums.tsx'

/** The parts of a form about amounts, in one chunk. */
export const parts = { Changed, Consequences, LinesField, LinesShown, Sums }
