import { fileNameParts } from '#domain/mapping-file-name.ts'

/** Files that operating systems and office programs leave beside the real ones. */
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

/** Whether a file is a by-product of a program, which carries no data: dropped without an import and without an error. */
export const isSystemFile = (name: string): boolean => systemPrefix.test(name) || systemNames.has(name.toLowerCase())

/** Endings that transfer programs and browsers give to a file while they write it. */
const unfinishedEnding =
  /\.(?:filepart|part|partial|tmp|temp|upload|uploading|writing|crdownload|download|opdownload|inprogress|incomplete|unfinished|swp)$|~$/i
/** Anything behind the real ending, as rsync's `.acme_ee.csv.Xa12bc` without its dot; archives and encrypted files have a name of their own. */
const endingBehindEnding =
  /\.(?:csv|xlsx)[._~-](?!(?:gz|gzip|zip|7z|rar|bz2|xz|zst|tar|tgz|pgp|gpg|asc|sig|p7m|csv|xlsx)$)[^.]*$/i

/**
 * Whether a transfer program writes under this name until the file is whole and then renames it: `.in.acme_ee.csv` (lftp),
 * `.acme_ee.csv.Xa12bc` (rsync), `acme_ee.csv.filepart` (WinSCP).
 */
export const isUnfinished = (name: string): boolean =>
  !isSystemFile(name) && (name.startsWith('.') || unfinishedEnding.test(name) || endingBehindEnding.test(name))

/** What Windows, macOS and browsers add to the name of a copy: ` (1)`, ` - Copy`, ` copy 2`. */
const copyEnding = /(?:\s*\(\d+\)|\s+-?\s*(?:copy|copie|copia|kopie)(?:\s+\d+)?)$/i
const copyBeginning = /^(?:copy|copie|copia|kopie)(?:\s*\(\d+\))?\s+(?:of|de|von)\s+/i
const numberEnding = /\s+\d+$/

/** The name of the file that a file is a copy of, `acme_ee.csv` of `acme_ee (1).csv`; null where the name is not that of a copy. */
export function originalOfCopy(name: string): string | null {
  const dot = name.lastIndexOf('.')
  const ending = dot < 0 ? '' : name.slice(dot)
  let base = dot < 0 ? name : name.slice(0, dot)
  base = base.replace(copyBeginning, '')
  while (copyEnding.test(base)) base = base.replace(copyEnding, '')
  // The Finder only adds a number, which is part of the name of many files that end otherwise.
  const withoutNumber = base.replace(numberEnding, '')
  if (fileNameParts(`${withoutNumber.toLowerCase()}${ending}`).suffix !== '') base = withoutNumber
  return base !== '' && `${base}${ending}` !== name ? `${base}${ending}` : null
}

/**
 * The name by which a file that arrives is matched with the mappings: in lower case, since systems write `ACME_EE.CSV`, and composed,
 * since macOS decomposes letters with accents.
 */
export const matchedName = (name: string): string => name.trim().normalize('NFC').toLowerCase()
