/** Schemas whose tables the application uses: that of everything, and where the importer of large files keeps their lines (D447). */
export const schemas = ['public', 'large_files'] as const
