import { fontFile, filesFor } from './fonts.ts'
import type { Weight } from './fonts.ts'

/** The part of an opened font that layout uses. */
interface Glyphs {
  readonly unitsPerEm: number
  readonly hasGlyphForCodePoint: (codePoint: number) => boolean
  readonly glyphForCodePoint: (codePoint: number) => { readonly advanceWidth: number }
}

const opened = new Map<string, Glyphs>()

/** Geta mark, printed for a character without a glyph: an emoji, a letter of another script. */
export const MISSING = '\u3013'
const PLAIN = 'chinese-simplified'

/** Fonts of one document, with caches of glyph coverage and widths. */
export interface Letters {
  readonly doc: PDFKit.PDFDocument
  /** By font and weight. */
  readonly held: Map<string, Glyphs>
  /** Em, by font, weight and sign. */
  readonly advances: Map<string, number>
  /** The font that has a sign of a weight; undefined where none has. */
  readonly fonts: Map<string, string | undefined>
}

/** Neighbours in one font. */
export interface Run {
  readonly font: string
  text: string
}

export const newLetters = (doc: PDFKit.PDFDocument): Letters => ({ doc, held: new Map(), advances: new Map(), fonts: new Map() })

/** Default font of a new document. */
export const firstFont = (): unknown => opened.get(`${PLAIN}-400`) ?? fontFile(PLAIN, 400)

export function useFont({ doc, held }: Letters, name: string, weight: Weight): Glyphs {
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

/** Width of a character in em. Without kerning, a line is as wide as the sum of its characters. */
function advance(letters: Letters, sign: string, name: string, weight: Weight): number {
  const key = `${name}${weight}${sign}`
  const known = letters.advances.get(key)
  if (known !== undefined) return known
  const font = useFont(letters, name, weight)
  const made = font.glyphForCodePoint(sign.codePointAt(0)!).advanceWidth / font.unitsPerEm
  letters.advances.set(key, made)
  return made
}

function fontOf(letters: Letters, sign: string, weight: Weight): string | undefined {
  const key = `${weight}${sign}`
  if (!letters.fonts.has(key)) {
    const codePoint = sign.codePointAt(0)!
    letters.fonts.set(
      key,
      filesFor(codePoint).find((name) => useFont(letters, name, weight).hasGlyphForCodePoint(codePoint)),
    )
  }
  return letters.fonts.get(key)
}

/** Splits a text into runs of one font each; a character without a glyph becomes a geta mark. */
export function runsOf(letters: Letters, text: string, weight: Weight): Run[] {
  const made: Run[] = []
  for (const sign of text) {
    const font = fontOf(letters, sign, weight)
    const [name, shown] = font ? [font, sign] : [PLAIN, MISSING]
    const last = made.at(-1)
    if (last?.font === name) last.text += shown
    else made.push({ font: name, text: shown })
  }
  return made
}

export const widthOf = (letters: Letters, run: Run, size: number, weight: Weight): number =>
  [...run.text].reduce((sum, sign) => sum + advance(letters, sign, run.font, weight), 0) * size
