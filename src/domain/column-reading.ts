/** How all cells of a column are read if the format is ambiguous. */
export interface ColumnReading {
  /** Order of day and month in numeric dates. */
  dateOrder?: 'month-first' | 'day-first'
  /** Decimal separator. */
  decimalMark?: 'point' | 'comma'
  /** Unit of hours: hours, or shares of a 24-hour day as spreadsheets store durations. */
  hoursUnit?: 'hours' | 'days'
}
