import PDFDocument from 'pdfkit'
import { fontFile, filesFor } from './fonts.ts'
import type { Weight } from './fonts.ts'

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

/** What we ask of an opened font. */
interface Glyphs {
  readonly unitsPerEm: number
  readonly hasGlyphForCodePoint: (codePoint: number) => boolean
  readonly glyphForCodePoint: (codePoint: number) => { readonly advanceWidth: number }
}

const opened = new Map<string, Glyphs>()

/** What stands for a sign that no font of ours has: an emoji, a letter of another script. */
export const MISSING = '\u3013'
/** Controls, marks that turn the direction of reading, and joiners: they could make a line read as another. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Variation_Selector}\u2028\u2029]/gu
const INK = '#131b1c'

export function takePen(options: PDFKit.PDFDocumentOptions): Pen {
  const doc = new PDFDocument({
    ...options,
    margin: 0,
    autoFirstPage: true,
    font: (opened.get('chinese-simplified-400') ?? fontFile('chinese-simplified', 400)) as unknown as string,
  })
  const pieces: Buffer[] = []
  const done = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    doc.on('data', (piece: Buffer) => pieces.push(piece))
    doc.on('end', () => resolve(new Uint8Array(Buffer.concat(pieces))))
    doc.on('error', reject)
  })
  const held = new Map<string, Glyphs>()
  const advances = new Map<string, number>()

  function use(name: string, weight: Weight): Glyphs {
    const key = `${name}-${weight}`
    const known = held.get(key)
    if (known) {
      doc.font(key)
      return known
    }
    const source: unknown = opened.get(key) ?? fontFile(name, weight)
    doc.registerFont(key, source as Buffer).font(key)
    // pdfkit says nothing about a missing glyph; the font that it opened does. It takes an opened one again, and so the
    // thousands of entries of its tables are read once a process.
    const { font } = (doc as unknown as { _font: { font: Glyphs } })._font
    opened.set(key, font)
    held.set(key, font)
    return font
  }

  /** Em per sign: there is no kerning, so that a line is as wide as its signs. */
  function advance(sign: string, name: string, weight: Weight): number {
    const key = `${name}${weight}${sign}`
    const known = advances.get(key)
    if (known !== undefined) return known
    const font = use(name, weight)
    const made = font.glyphForCodePoint(sign.codePointAt(0)!).advanceWidth / font.unitsPerEm
    advances.set(key, made)
    return made
  }

  const fontsOf = new Map<string, string | undefined>()
  function fontOf(sign: string, weight: Weight): string | undefined {
    const key = `${weight}${sign}`
    if (!fontsOf.has(key)) {
      const codePoint = sign.codePointAt(0)!
      fontsOf.set(
        key,
        filesFor(codePoint).find((name) => use(name, weight).hasGlyphForCodePoint(codePoint)),
      )
    }
    return fontsOf.get(key)
  }

  /** Neighbours in one font are one run; a sign that nobody has is a geta mark. */
  function runs(text: string, weight: Weight): { font: string; text: string }[] {
    const made: { font: string; text: string }[] = []
    for (const sign of plain(text)) {
      const font = fontOf(sign, weight)
      const [name, shown] = font ? [font, sign] : ['chinese-simplified', MISSING]
      const last = made.at(-1)
      if (last?.font === name) last.text += shown
      else made.push({ font: name, text: shown })
    }
    return made
  }

  const widthOf = (run: { font: string; text: string }, { size = 10, weight = 400 }: Style) =>
    [...run.text].reduce((sum, sign) => sum + advance(sign, run.font, weight), 0) * size

  function width(text: string, style: Style = {}): number {
    return runs(text, style.weight ?? 400).reduce((sum, run) => sum + widthOf(run, style), 0)
  }

  function put(text: string, x: number, y: number, style: Style = {}): number {
    const { size = 10, weight = 400, color = INK } = style
    let at = x
    for (const run of runs(text, weight)) {
      const wide = widthOf(run, style)
      use(run.font, weight)
      doc.fontSize(size).fillColor(color).text(run.text, at, y, { lineBreak: false, features: [] })
      at += wide
    }
    return at - x
  }

  function lines(text: string, room: number, style?: Style): string[] {
    const made: string[] = []
    let line = ''
    for (const word of plain(text).match(/[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+|\s+|./gu) ?? []) {
      for (const piece of width(word, style) > room ? [...word] : [word]) {
        if (line && width(line + piece, style) > room) {
          made.push(line.trimEnd())
          line = piece.trimStart()
        } else line += piece
      }
    }
    if (line) made.push(line.trimEnd())
    return made
  }

  return {
    doc,
    put,
    putRight: (text, right, y, style) => put(text, right - width(text, style), y, style),
    width,
    lines,
    finish: () => {
      doc.end()
      return done
    },
  }
}

/** One line without what cannot be seen. */
export function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\t\r\n]+/g, ' ')
    .replace(UNSEEN, '')
}
