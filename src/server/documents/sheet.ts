import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import { undirected } from '#domain/text.ts'

/** A column of a table; `share` is its relative width, in any unit common to all columns. */
export interface Column {
  head: string
  share: number
  right?: boolean
}

const font = (name: string) => fileURLToPath(new URL(`./fonts/DejaVuSansCondensed${name}.ttf`, import.meta.url))
const ink = '#1d2530'
const quiet = '#5b6673'
const hair = '#d4d9df'
const edge = 54
const footHeight = 28
const pad = 5
const size = 9

/** Text style; sizes in points. */
interface TextStyle {
  bold?: boolean
  right?: boolean
  points?: number
  colour?: string
}

/** Pages with a heading, pairs, sums and tables whose headers repeat on every page; text is never cut off. */
export class Sheet {
  readonly #pdf: PDFKit.PDFDocument
  readonly #chunks: Buffer[] = []
  readonly #ended: Promise<void>
  readonly #foot: string
  #y = edge
  #columns: Column[] = []

  constructor(paper: 'LETTER' | 'A4', { title, author, foot }: { title: string; author: string; foot: string }) {
    this.#foot = foot
    this.#pdf = new PDFDocument({
      size: paper,
      margin: 0,
      bufferPages: true,
      lang: 'en-US',
      displayTitle: true,
      info: { Title: title, Author: author },
    })
    this.#pdf.registerFont('regular', font('')).registerFont('bold', font('-Bold'))
    this.#ended = new Promise((resolve, reject) => {
      this.#pdf.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
      this.#pdf.on('end', resolve)
      this.#pdf.on('error', reject)
    })
  }

  get #width(): number {
    return this.#pdf.page.width - 2 * edge
  }

  get #bottom(): number {
    return this.#pdf.page.height - edge - footHeight
  }

  /** Draws text and returns its height. */
  #put(text: string, x: number, y: number, width: number, style: TextStyle = {}): number {
    this.#draw(text, x, y, width, style)
    return this.#height(text, width, style.bold, style.points)
  }

  #draw(text: string, x: number, y: number, width: number, { bold, right, points = size, colour = ink }: TextStyle): void {
    const shown = undirected(text)
    const free = width - this.#widthOf(shown, bold, points)
    this.#pdf.fillColor(colour)
    // Breaking into lines takes most of the time of a document, and most cells have one line.
    if (free >= 0) this.#pdf.text(shown, right ? x + free : x, y, { lineBreak: false })
    else this.#pdf.text(shown, x, y, { width, align: right ? 'right' : 'left' })
  }

  #height(text: string, width: number, bold = false, points = size): number {
    const shown = undirected(text)
    return this.#widthOf(shown, bold, points) <= width
      ? this.#pdf.currentLineHeight(true)
      : this.#pdf.heightOfString(shown, { width })
  }

  /** The width of a text in one line, in this font from now on; without end if it has line ends of its own. */
  #widthOf(text: string, bold = false, points = size): number {
    this.#pdf.font(bold ? 'bold' : 'regular').fontSize(points)
    return text.includes('\n') ? Number.POSITIVE_INFINITY : this.#pdf.widthOfString(text)
  }

  #line(y: number, colour = hair): void {
    this.#pdf
      .moveTo(edge, y)
      .lineTo(edge + this.#width, y)
      .lineWidth(0.6)
      .strokeColor(colour)
      .stroke()
  }

  /** The owner and the type of the document. */
  heading(owner: string, kind: string): void {
    const half = this.#width / 2
    const left = this.#put(owner, edge, this.#y, half, { bold: true, points: 20 })
    const right = this.#put(kind, edge + half, this.#y, half, { right: true, points: 20, colour: quiet })
    this.#y += Math.max(left, right) + 8
    this.#line(this.#y, ink)
    this.#y += 16
  }

  /** Columns of names and values, side by side. */
  pairs(columns: readonly (readonly [string, string][])[]): void {
    const width = this.#width / columns.length - 12
    const label = 76
    const ends = columns.map((pairs, at) => {
      let y = this.#y
      for (const [name, value] of pairs) {
        const x = edge + at * (width + 24)
        const high = this.#put(name, x, y, label, { colour: quiet })
        y += Math.max(high, this.#put(value, x + label, y, width - label)) + 4
      }
      return y
    })
    this.#y = Math.max(...ends) + 12
  }

  /** Amounts in a right-aligned column. */
  sums(rows: readonly (readonly [string, string, 'plain' | 'strong'])[]): void {
    const width = this.#width / 2 - 12
    const x = edge + this.#width - width
    for (const [name, value, kind] of rows) {
      const bold = kind === 'strong'
      const high = this.#put(name, x, this.#y, width / 2, { bold })
      this.#put(value, x + width / 2, this.#y, width / 2, { bold, right: true })
      this.#y += high + 4
      if (bold)
        this.#pdf
          .moveTo(x, this.#y)
          .lineTo(x + width, this.#y)
          .lineWidth(0.6)
          .strokeColor(hair)
          .stroke()
      if (bold) this.#y += 5
    }
    this.#y += 8
  }

  /** A short text below its heading. */
  paragraph(name: string, text: string): void {
    this.#y += this.#put(name, edge, this.#y, this.#width, { bold: true }) + 3
    this.#y += this.#put(text, edge, this.#y, this.#width) + 18
  }

  /** Starts a table, whose headers are drawn again on every further page. */
  beginTable(title: string, columns: Column[]): void {
    this.#columns = columns
    this.#y += this.#put(title, edge, this.#y, this.#width, { bold: true, points: 11 }) + 6
    this.#heads()
  }

  #heads(): void {
    const cells = this.#columns.map((column) => column.head)
    this.#cells(cells, { bold: true, colour: quiet })
    this.#y += this.#highest(cells, true) + pad
    this.#line(this.#y, ink)
    this.#y += pad
  }

  #cells(cells: readonly string[], style: TextStyle): void {
    let x = edge
    for (const [at, width] of this.#widths().entries()) {
      this.#draw(cells[at] ?? '', x, this.#y, width - 2 * pad, { ...style, right: this.#columns[at]?.right ?? false })
      x += width
    }
  }

  #highest(cells: readonly string[], bold: boolean): number {
    return Math.max(...this.#widths().map((width, at) => this.#height(cells[at] ?? '', width - 2 * pad, bold)))
  }

  #widths(): number[] {
    const all = this.#columns.reduce((sum, column) => sum + column.share, 0)
    return this.#columns.map((column) => ((this.#width + 2 * pad) * column.share) / all)
  }

  /** A row of the table, as high as its highest cell; rows are not split across pages. */
  row(cells: readonly string[], { last = false }: { last?: boolean } = {}): void {
    const high = this.#highest(cells, last)
    if (this.#y + high + 2 * pad > this.#bottom) {
      this.#pdf.addPage()
      this.#y = edge
      this.#heads()
    }
    if (last) {
      this.#line(this.#y, ink)
      this.#y += pad
    }
    this.#cells(cells, { bold: last })
    this.#y += high + pad
    if (last) return
    this.#line(this.#y)
    this.#y += pad
  }

  /** Adds space below a table before the next one. */
  endTable(): void {
    this.#y += 14
  }

  /** Numbers the pages, adds a watermark if given, and returns the file. */
  async finish(mark: string | null): Promise<Buffer> {
    const { count } = this.#pdf.bufferedPageRange()
    for (let page = 0; page < count; page += 1) {
      this.#pdf.switchToPage(page)
      const y = this.#pdf.page.height - edge - 8
      this.#put(this.#foot, edge, y, this.#width / 2, { colour: quiet, points: 8 })
      this.#put(`Page ${page + 1} of ${count}`, edge + this.#width / 2, y, this.#width / 2, {
        colour: quiet,
        points: 8,
        right: true,
      })
      if (mark) this.#mark(mark)
    }
    this.#pdf.end()
    await this.#ended
    return Buffer.concat(this.#chunks)
  }

  #mark(word: string): void {
    const { width, height } = this.#pdf.page
    const points = 150
    this.#pdf.save()
    this.#pdf.rotate(-40, { origin: [width / 2, height / 2] })
    this.#pdf.font('bold').fontSize(points).fillColor('#8a94a0').fillOpacity(0.16)
    this.#pdf.text(word, 0, height / 2 - points / 2, { width, align: 'center', lineBreak: false })
    this.#pdf.restore()
    this.#pdf.fillOpacity(1)
  }
}
