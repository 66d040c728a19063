import { fileNameParts } from '#domain/mapping-file-name.ts'

/** Files that operating systems and office programs create beside the real ones. */
const systemNames: ReadonlySet<string> = new Set([
  '.ds_store',
  '.localized',
  '.directory',
  'thumbs.db',
  'ehthumbs.db',
  'desktop.ini',
])
/** Excel's `~$name`, the Finder's `._name`, LibreOffice's `.~lock.name#`. */
const systemPrefix = /^(?:~\$|\._|\.~lock\.)/

/** Whether a file is a by-product of a program without data: dropped without an import and without an error. */
export const isSystemFile = (name: string): boolean => systemPrefix.test(name) || systemNames.has(name.toLowerCase())

/** Extensions that transfer programs and browsers use while writing a file. */
const unfinishedEnding =
  /\.(?:filepart|part|partial|tmp|temp|upload|uploading|writing|crdownload|download|opdownload|inprogress|incomplete|unfinished|swp)$|~$/i
/**
 * Any suffix after the real extension, such as rsync's `.acme_ee.csv.Xa12bc` without its dot. Archives and encrypted files are
 * excluded.
 */
const endingBehindEnding =
  /\.(?:csv|xlsx)[._~-](?!(?:gz|gzip|zip|7z|rar|bz2|xz|zst|tar|tgz|pgp|gpg|asc|sig|p7m|csv|xlsx)$)[^.]*$/i

/**
 * Whether a transfer program uses this name until the file is complete and then renames it: `.in.acme_ee.csv` (lftp),
 * `.acme_ee.csv.Xa12bc` (rsync), `acme_ee.csv.filepart` (WinSCP).
 */
export const isUnfinished = (name: string): boolean =>
  !isSystemFile(name) && (name.startsWith('.') || unfinishedEnding.test(name) || endingBehindEnding.test(name))

/** Suffix that Windows, macOS and browsers add to the name of a copy: ` (1)`, ` - Copy`, ` copy 2`. */
const copyEnding = /(?:\s*\(\d+\)|\s+-?\s*(?:copy|copie|copia|kopie)(?:\s+\d+)?)$/i
const copyBeginning = /^(?:copy|copie|copia|kopie)(?:\s*\(\d+\))?\s+(?:of|de|von)\s+/i
const numberEnding = /\s+\d+$/

/** The original name of a copy, `acme_ee.csv` for `acme_ee (1).csv`; null if the name is not that of a copy. */
export function originalOfCopy(name: string): string | null {
  const dot = name.lastIndexOf('.')
  const ending = dot < 0 ? '' : name.slice(dot)
  let base = dot < 0 ? name : name.slice(0, dot)
  base = base.replace(copyBeginning, '')
  while (copyEnding.test(base)) base = base.replace(copyEnding, '')
  // The Finder only adds a number, but many original names end with one, too.
  const withoutNumber = base.replace(numberEnding, '')
  if (fileNameParts(`${withoutNumber.toLowerCase()}${ending}`).suffix !== '') base = withoutNumber
  return base !== '' && `${base}${ending}` !== name ? `${base}${ending}` : null
}

/**
 * The name by which an arriving file is matched with mappings: in lower case, since systems write `ACME_EE.CSV`, and composed,
 * since macOS decomposes accented letters.
 */
export const matchedName = (name: string): string => name.trim().normalize('NFC').toLowerCase()
