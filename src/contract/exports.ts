import { z } from 'zod'
import { signedIn } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { nothing } from '#contract/fields.ts'

/** Lists that can be exported to a file, each with the permission to read it. */
export const exportKinds = ['invoices', 'repayments', 'audit-events'] as const

/** A file written in the background, whatever its size; only the caller who requested it may read it. */
export const Export = z.object({
  id: z.uuid(),
  kind: z.enum(exportKinds),
  file_name: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** Null until the rows are counted. */
  total: z.int().nullable(),
  done: z.int(),
  message: z.string().nullable(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
})
export type Export = z.infer<typeof Export>

const byExport = z.object({ id: z.uuid() })

export const createExport = endpoint({
  method: 'POST',
  path: '/exports',
  summary: 'Write a filtered list to a CSV file in the background',
  tag: 'Exports',
  params: nothing,
  query: nothing,
  body: z.object({
    kind: z.enum(exportKinds),
    /** The list's own filter parameters, as in its address. */
    filter: z.record(z.string(), z.string().max(4_000)),
  }),
  answer: Export,
  needs: signedIn,
  extension: true,
  status: 201,
})

export const listExports = endpoint({
  method: 'GET',
  path: '/exports',
  summary: 'Your last exports, newest first',
  tag: 'Exports',
  params: nothing,
  query: nothing,
  answer: z.object({ exports: z.array(Export) }),
  needs: signedIn,
  extension: true,
  activity: false,
})

export const getExport = endpoint({
  method: 'GET',
  path: '/exports/{id}',
  summary: 'How an export stands',
  tag: 'Exports',
  params: byExport,
  query: nothing,
  answer: Export,
  needs: signedIn,
  extension: true,
  activity: false,
})

export const downloadExport = endpoint({
  method: 'GET',
  path: '/exports/{id}/file',
  summary: 'The file of an export that is done',
  tag: 'Exports',
  params: byExport,
  query: nothing,
  answer: z.file().mime('text/csv'),
  needs: signedIn,
  extension: true,
})
