/** What people type for a number, and what it means in its smallest unit; null is no number. */
export const amountCases: readonly { kind: 'money' | 'percentage' | 'integer'; typed: string; value: number | null }[] = [
  { kind: 'money', typed: '12', value: 1200 },
  { kind: 'money', typed: '$1,234.5', value: 123_450 },
  { kind: 'money', typed: '−0.01', value: -1 },
  { kind: 'money', typed: '1.234', value: null },
  { kind: 'money', typed: 'much', value: null },
  { kind: 'percentage', typed: '50', value: 5000 },
  { kind: 'percentage', typed: '12.5 %', value: 1250 },
  { kind: 'percentage', typed: '0.125', value: null },
  { kind: 'percentage', typed: '-1', value: null },
  { kind: 'integer', typed: '1,000', value: 1000 },
  { kind: 'integer', typed: '−3', value: -3 },
  { kind: 'integer', typed: '1.5', value: null },
]
