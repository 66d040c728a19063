/** How all cells of one column are read, where more than one reading is possible. */
export interface ColumnReading {
  /** Order of day and month in dates of digits. */
  dateOrder?: 'month-first' | 'day-first'
  /** Sign before the fraction of a number. */
  decimalMark?: 'point' | 'comma'
  /** Unit of numbers of hours: hours, or shares of a day of 24 hours as spreadsheets store durations. */
  hoursUnit?: 'hours' | 'days'
}
