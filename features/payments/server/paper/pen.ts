import PDFDocument from 'pdfkit'
import type { FontWeight } from './fonts.ts'
import { loadDefaultFont, createDocumentFonts, splitIntoRuns, openFont, measureRun } from './document-fonts.ts'
import type { DocumentFonts } from './document-fonts.ts'

export interface Style {
  readonly size?: number
  readonly weight?: FontWeight
  readonly color?: string
}
/** Draws text that may hold anything a person can type. Lengths are points; `y` is the top of the line. */
export interface Pen {
  readonly doc: PDFKit.PDFDocument
  /** Returns the width. */
  readonly put: (text: string, x: number, y: number, style?: Style) => number
  readonly putRight: (text: string, right: number, y: number, style?: Style) => number
  readonly width: (text: string, style?: Style) => number
  /** Splits into lines of at most `width`. */
  readonly lines: (text: string, width: number, style?: Style) => string[]
  readonly finish: () => Promise<Uint8Array<ArrayBuffer>>
}

/** Controls, marks that turn the direction of reading, and joiners: they could make a line read as another. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Variation_Selector}\u2028\u2029]/gu
const INK = '#131b1c'

export function createPen(options: PDFKit.PDFDocumentOptions): Pen {
  const doc = new PDFDocument({ ...options, margin: 0, autoFirstPage: true, font: loadDefaultFont() as string })
  const pieces: Buffer[] = []
  const done = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    doc.on('data', (piece: Buffer) => pieces.push(piece))
    doc.on('end', () => resolve(new Uint8Array(Buffer.concat(pieces))))
    doc.on('error', reject)
  })
  const letters = createDocumentFonts(doc)
  return {
    doc,
    put: (text, x, y, style) => drawText(letters, text, x, y, style),
    putRight: (text, right, y, style) => drawText(letters, text, right - measureWidth(letters, text, style), y, style),
    width: (text, style) => measureWidth(letters, text, style),
    lines: (text, room, style) => wrapLines(letters, text, room, style),
    finish: () => {
      doc.end()
      return done
    },
  }
}

function measureWidth(letters: DocumentFonts, text: string, { size = 10, weight = 400 }: Style = {}): number {
  return splitIntoRuns(letters, stripInvisible(text), weight).reduce((sum, run) => sum + measureRun(letters, run, size, weight), 0)
}

function drawText(letters: DocumentFonts, text: string, x: number, y: number, { size = 10, weight = 400, color = INK }: Style = {}): number {
  let at = x
  for (const run of splitIntoRuns(letters, stripInvisible(text), weight)) {
    const wide = measureRun(letters, run, size, weight)
    openFont(letters, run.font, weight)
    letters.doc.fontSize(size).fillColor(color).text(run.text, at, y, { lineBreak: false, features: [] })
    at += wide
  }
  return at - x
}

function wrapLines(letters: DocumentFonts, text: string, room: number, style?: Style): string[] {
  const made: string[] = []
  let line = ''
  for (const word of stripInvisible(text).match(/[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+|\s+|./gu) ?? []) {
    for (const piece of measureWidth(letters, word, style) > room ? [...word] : [word]) {
      if (line && measureWidth(letters, line + piece, style) > room) {
        made.push(line.trimEnd())
        line = piece.trimStart()
      } else line += piece
    }
  }
  if (line) made.push(line.trimEnd())
  return made
}

/** One line without what cannot be seen. */
export function stripInvisible(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\t\r\n]+/g, ' ')
    .replace(INVISIBLE, '')
}
