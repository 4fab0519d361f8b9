import PDFDocument from 'pdfkit'
import type { Weight } from './fonts.ts'
import { firstFont, newLetters, runsOf, useFont, widthOf } from './letters.ts'
import type { Letters } from './letters.ts'

export interface Style {
  readonly size?: number
  readonly weight?: Weight
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
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Variation_Selector}\u2028\u2029]/gu
const INK = '#131b1c'

export function takePen(options: PDFKit.PDFDocumentOptions): Pen {
  const doc = new PDFDocument({ ...options, margin: 0, autoFirstPage: true, font: firstFont() as string })
  const pieces: Buffer[] = []
  const done = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    doc.on('data', (piece: Buffer) => pieces.push(piece))
    doc.on('end', () => resolve(new Uint8Array(Buffer.concat(pieces))))
    doc.on('error', reject)
  })
  const letters = newLetters(doc)
  return {
    doc,
    put: (text, x, y, style) => put(letters, text, x, y, style),
    putRight: (text, right, y, style) => put(letters, text, right - width(letters, text, style), y, style),
    width: (text, style) => width(letters, text, style),
    lines: (text, room, style) => linesOf(letters, text, room, style),
    finish: () => {
      doc.end()
      return done
    },
  }
}

function width(letters: Letters, text: string, { size = 10, weight = 400 }: Style = {}): number {
  return runsOf(letters, plain(text), weight).reduce((sum, run) => sum + widthOf(letters, run, size, weight), 0)
}

function put(letters: Letters, text: string, x: number, y: number, { size = 10, weight = 400, color = INK }: Style = {}): number {
  let at = x
  for (const run of runsOf(letters, plain(text), weight)) {
    const wide = widthOf(letters, run, size, weight)
    useFont(letters, run.font, weight)
    letters.doc.fontSize(size).fillColor(color).text(run.text, at, y, { lineBreak: false, features: [] })
    at += wide
  }
  return at - x
}

function linesOf(letters: Letters, text: string, room: number, style?: Style): string[] {
  const made: string[] = []
  let line = ''
  for (const word of plain(text).match(/[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+|\s+|./gu) ?? []) {
    for (const piece of width(letters, word, style) > room ? [...word] : [word]) {
      if (line && width(letters, line + piece, style) > room) {
        made.push(line.trimEnd())
        line = piece.trimStart()
      } else line += piece
    }
  }
  if (line) made.push(line.trimEnd())
  return made
}

/** One line without what cannot be seen. */
export function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\t\r\n]+/g, ' ')
    .replace(UNSEEN, '')
}
