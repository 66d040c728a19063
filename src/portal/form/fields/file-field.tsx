import { type DragEvent, useRef, useState } from 'react'
import { attributes, type ControlProps } from '#portal/form/fields/control.ts'

/** The form value of a file. */
interface FileValue {
  name: string
  /** Base64. */
  content: string
}

/** Reads a file as base64. */
const contentOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => {
      const [, content = ''] = String(reader.result).split(',')
      resolve(content)
    }
    reader.onerror = () => reject(reader.error ?? new Error(file.name))
    reader.readAsDataURL(file)
  })

/** A local file: chosen by a button, or dropped. It is read at once, so that later changes of the file are not sent. */
export function FileField(props: ControlProps) {
  const { field, value, onChange } = props
  const input = useRef<HTMLInputElement>(null)
  // `aria-required` is not allowed on a button.
  const { 'aria-required': _, ...own } = attributes(props)
  const [problem, setProblem] = useState<string | null>(null)
  const [reading, setReading] = useState<string | null>(null)
  const chosen = value as FileValue | undefined
  const { accept = [], max = Number.POSITIVE_INFINITY } = field
  const take = async (file: File | undefined) => {
    if (!file) return
    const ending = accept.some((each) => file.name.toLowerCase().endsWith(each))
    const wrong = !ending
      ? `Choose a file that ends with ${accept.join(' or ')}.`
      : file.size > max
        ? `A file has at most ${Math.floor(max / 1024 / 1024)} MB here. Larger ones come by SFTP.`
        : null
    setProblem(wrong)
    if (wrong) return onChange(undefined)
    setReading(file.name)
    try {
      onChange({ name: file.name, content: await contentOf(file) } satisfies FileValue)
    } catch {
      setProblem('The file could not be read. It may have been moved or changed. Choose it again.')
      onChange(undefined)
    } finally {
      setReading(null)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button chooses a file as well
    <div
      className="flex min-w-0 items-center gap-3 rounded-[8px] border border-line-strong border-dashed p-3"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <button
        {...own}
        aria-labelledby={`${props.id}-label ${props.id}`}
        type="button"
        className="btn"
        onClick={() => input.current?.click()}
      >
        {chosen ? 'Choose another file' : 'Choose a file'}
      </button>
      <input
        ref={input}
        type="file"
        aria-label={`${field.title} to choose`}
        accept={accept.join(',')}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          void take(event.target.files?.[0])
          // Reset, so that choosing the same file again fires a change event.
          event.target.value = ''
        }}
      />
      <span className={problem ? 'text-bad' : 'truncate text-muted'} role="status">
        {problem ?? (reading ? `${reading}, reading` : (chosen?.name ?? `or drop a ${accept.join(' or ')} here`))}
      </span>
    </div>
  )
}
