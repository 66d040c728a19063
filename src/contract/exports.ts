import { z } from 'zod'
import { signedIn } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'

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

const call = { tag: 'Exports', needs: signedIn, extension: true, method: 'GET' } as const

export const listExports = endpoint({
  ...call,
  path: '/exports',
  summary: 'Your last exports, newest first',
  answer: z.object({ exports: z.array(Export) }),
  activity: false,
})

export const getExport = endpoint({
  ...call,
  path: '/exports/{id}',
  summary: 'How an export stands',
  params: byExport,
  answer: Export,
  activity: false,
})

export const downloadExport = endpoint({
  ...call,
  path: '/exports/{id}/file',
  summary: 'The file of an export that is done',
  params: byExport,
  answer: z.file().mime('text/csv'),
})
