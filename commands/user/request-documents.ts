import { configureDocuments, undoDocuments } from '#contract/user-changes.ts'
import { type DocumentType, documentWords } from '#domain/user.ts'
import { changeOfUser } from '#entities/forms/user-change.ts'

export default changeOfUser<{ document_types: DocumentType[] }>({
  id: 'user.request-documents',
  titles: ['Request user documents', 'Request documents from linked user'],
  aliases: ['document configurations', 'license', 'id card', 'kyc documents'],
  icon: 'note',
  suggestedFilter: { kyc: 'UNDER_REVIEW' },
  does: configureDocuments,
  form: configureDocuments.body.omit({ version: true }),
  start: ({ document_types }) => (document_types.length > 0 ? { document_types } : {}),
  call: ({ id, kyc_id, version }, { document_types }) =>
    configureDocuments({ id, kycId: kyc_id ?? 0 }, { document_types, version }),
  undo: undoDocuments,
  preview: (one, { document_types = one.document_types }) => [
    { of: 'Identity check', what: 'Documents', before: documentWords(one.document_types), after: documentWords(document_types) },
  ],
  done: (name) => `Changed the documents asked of ${name}`,
})
