/**
 * The last release, set when a version is released: its newest migration and its commit. It works with every later migration
 * until the next release (docs/decisions/2026-11-30-expand-and-contract.md).
 */
export const lastRelease = { migration: '0070_shared_views', commit: 'f6623a9480020c6174de523c8fb3ac028edfe852' } as const
