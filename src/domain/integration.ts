import { type DataEmailType, dataEmailLabels, dataEmailTypes } from '#domain/data-email.ts'
import { mappingVendors } from '#domain/mapping-vendors.ts'

/** How data arrive (ENT-128); CSV is a file that staff upload (ENT-131). */
export const integrationTypes = ['API', 'EMAIL', 'SFTP', 'CSV'] as const
export type IntegrationType = (typeof integrationTypes)[number]
export const integrationTypeLabels: Readonly<Record<IntegrationType, string>> = {
  API: 'API',
  EMAIL: 'E-mail',
  SFTP: 'SFTP',
  CSV: 'CSV',
}

/** Whose SFTP server it is: ours, or the customer's (ENT-129). */
export const sftpTypes = ['INTERNAL', 'EXTERNAL'] as const
export type SftpType = (typeof sftpTypes)[number]
export const sftpTypeLabels: Readonly<Record<SftpType, string>> = { INTERNAL: 'Internal', EXTERNAL: 'External' }

/** Kinds of data: the same two that addresses send. */
export const importTypes = dataEmailTypes
export type ImportType = DataEmailType
export const importTypeLabels = dataEmailLabels

/** A product of a payroll provider for which there is an adapter; the names are made up. */
export interface ProviderProduct {
  id: string
  vendor: string
  name: string
  supports_timekeeping: boolean
}

/** Products with an API. If only the vendor is given, its first matching product is used. */
export const providerProducts: readonly ProviderProduct[] = [
  { id: 'PAYHARBOR_PAYROLL', vendor: 'PAYHARBOR', name: 'Payharbor Payroll', supports_timekeeping: false },
  { id: 'PAYHARBOR_WORKFORCE', vendor: 'PAYHARBOR', name: 'Payharbor Workforce', supports_timekeeping: true },
  { id: 'SHIFTWELL_TIME', vendor: 'SHIFTWELL', name: 'Shiftwell Time', supports_timekeeping: true },
  { id: 'LEDGERLINE_PEOPLE', vendor: 'LEDGERLINE', name: 'Ledgerline People', supports_timekeeping: false },
]

/** The vendors of files and products, by id. */
export const integrationVendors = mappingVendors.map(({ id, name, supports_timekeeping }) => ({ id, name, supports_timekeeping }))
export const vendorLabels: Readonly<Record<string, string>> = Object.fromEntries(
  integrationVendors.map(({ id, name }) => [id, name]),
)
export const productLabels: Readonly<Record<string, string>> = Object.fromEntries(
  providerProducts.map(({ id, name }) => [id, name]),
)

/** Message if no kind of data is chosen (ITG-001). */
export const atLeastOne = 'At least one item is required'
/** ITG-002. */
const noUrl = 'Enter a URL such as https://api.example.com'
/** ITG-003. */
const proofMissing = 'An SSH key or a password must be filled'
/** ERR-038, ITG-004. */
export const importTypeTaken = 'An integration with this import type already exists.'
/** VAL-014. */
export const timekeepingUnsupported = 'This product does not support timekeeping.'

/** A valid URL with one of the schemes, a host and no password. */
function isUrl(text: string, schemes: readonly string[]): boolean {
  try {
    const url = new URL(text)
    return (
      schemes.includes(url.protocol) && /^[a-z0-9.-]+\.[a-z]{2,}$|^localhost$|^[\d.]+$/i.test(url.hostname) && url.password === ''
    )
  } catch {
    return false
  }
}

/** The product of a vendor that provides this kind of data; null if there is none. */
export const productFor = (vendor: string, importType: ImportType): ProviderProduct | null =>
  providerProducts.find((one) => one.vendor === vendor && (importType !== 'TIMEKEEPING' || one.supports_timekeeping)) ?? null

/** Input of the form for new integrations. */
export interface TypedIntegration {
  type: IntegrationType
  import_types: readonly ImportType[]
  sftp_type?: SftpType | undefined
  vendor?: string | undefined
  product?: string | undefined
  url?: string | undefined
  username?: string | undefined
  password?: string | undefined
  ssh_key?: string | undefined
  incremental?: boolean | undefined
  terminated_values?: readonly string[] | undefined
}

interface Fault {
  path: string
  message: string
}

/** Errors in new integrations beyond the validation of single fields, by field; used by the form and the server. */
export function validateIntegration(typed: TypedIntegration, required: string): Fault[] {
  const faults: Fault[] = []
  const missing = (path: keyof TypedIntegration, message = required) => {
    if (!typed[path]) faults.push({ path, message })
  }
  const timekeeping = typed.import_types.includes('TIMEKEEPING')
  if (typed.type === 'API') {
    missing('product')
    missing('url')
    const product = providerProducts.find(({ id }) => id === typed.product)
    if (product && timekeeping && !product.supports_timekeeping) faults.push({ path: 'product', message: timekeepingUnsupported })
    if (typed.url && !isUrl(typed.url, ['https:'])) faults.push({ path: 'url', message: noUrl })
  }
  if (typed.type === 'SFTP') missing('sftp_type')
  if (typed.sftp_type === 'EXTERNAL') {
    missing('url')
    missing('username')
    if (typed.url && !isUrl(typed.url, ['sftp:']))
      faults.push({ path: 'url', message: 'Enter a URL such as sftp://files.example.com' })
    if (!typed.password && !typed.ssh_key) faults.push({ path: 'password', message: proofMissing })
    if (typed.password && typed.ssh_key) faults.push({ path: 'ssh_key', message: 'Either a password or an SSH key' })
  }
  if (typed.incremental && !typed.terminated_values?.length) faults.push({ path: 'terminated_values', message: required })
  return faults
}
