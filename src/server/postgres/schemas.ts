/** Schemas whose tables the application uses: `public`, and the one with the staging tables for large files (D447). */
export const schemas = ['public', 'large_files'] as const
