import { loadFontFile, listFontFiles } from './fonts.ts'
import type { FontWeight } from './fonts.ts'

/** The part of an opened font that layout uses. */
interface Glyphs {
  readonly unitsPerEm: number
  readonly hasGlyphForCodePoint: (codePoint: number) => boolean
  readonly glyphForCodePoint: (codePoint: number) => { readonly advanceWidth: number }
}

const openedFonts = new Map<string, Glyphs>()

/** Geta mark, printed for a character without a glyph: an emoji, a letter of another script. */
export const MISSING_GLYPH = '\u3013'
const DEFAULT_SUBSET = 'chinese-simplified'

/** Fonts of one document, with caches of glyph coverage and widths. */
export interface DocumentFonts {
  readonly doc: PDFKit.PDFDocument
  /** By font and weight. */
  readonly held: Map<string, Glyphs>
  /** Em, by font, weight and sign. */
  readonly advances: Map<string, number>
  /** The font that has a sign of a weight; undefined where none has. */
  readonly fonts: Map<string, string | undefined>
}

/** Neighbours in one font. */
export interface FontRun {
  readonly font: string
  text: string
}

export const createDocumentFonts = (doc: PDFKit.PDFDocument): DocumentFonts => ({ doc, held: new Map(), advances: new Map(), fonts: new Map() })

/** Default font of a new document. */
export const loadDefaultFont = (): unknown => openedFonts.get(`${DEFAULT_SUBSET}-400`) ?? loadFontFile(DEFAULT_SUBSET, 400)

export function openFont({ doc, held }: DocumentFonts, name: string, weight: FontWeight): Glyphs {
  const key = `${name}-${weight}`
  const known = held.get(key)
  if (known) {
    doc.font(key)
    return known
  }
  const source: unknown = openedFonts.get(key) ?? loadFontFile(name, weight)
  doc.registerFont(key, source as Buffer).font(key)
  // pdfkit says nothing about a missing glyph; the font that it opened does. It takes an opened one again, and so the
  // thousands of entries of its tables are read once a process.
  const { font } = (doc as unknown as { _font: { font: Glyphs } })._font
  openedFonts.set(key, font)
  held.set(key, font)
  return font
}

/** Width of a character in em. Without kerning, a line is as wide as the sum of its characters. */
function measureAdvance(letters: DocumentFonts, sign: string, name: string, weight: FontWeight): number {
  const key = `${name}${weight}${sign}`
  const known = letters.advances.get(key)
  if (known !== undefined) return known
  const font = openFont(letters, name, weight)
  const made = font.glyphForCodePoint(sign.codePointAt(0)!).advanceWidth / font.unitsPerEm
  letters.advances.set(key, made)
  return made
}

function findFont(letters: DocumentFonts, sign: string, weight: FontWeight): string | undefined {
  const key = `${weight}${sign}`
  if (!letters.fonts.has(key)) {
    const codePoint = sign.codePointAt(0)!
    letters.fonts.set(
      key,
      listFontFiles(codePoint).find((name) => openFont(letters, name, weight).hasGlyphForCodePoint(codePoint)),
    )
  }
  return letters.fonts.get(key)
}

/** Splits a text into runs of one font each; a character without a glyph becomes a geta mark. */
export function splitIntoRuns(letters: DocumentFonts, text: string, weight: FontWeight): FontRun[] {
  const made: FontRun[] = []
  for (const sign of text) {
    const font = findFont(letters, sign, weight)
    const [name, shown] = font ? [font, sign] : [DEFAULT_SUBSET, MISSING_GLYPH]
    const last = made.at(-1)
    if (last?.font === name) last.text += shown
    else made.push({ font: name, text: shown })
  }
  return made
}

export const measureRun = (letters: DocumentFonts, run: FontRun, size: number, weight: FontWeight): number =>
  [...run.text].reduce((sum, sign) => sum + measureAdvance(letters, sign, run.font, weight), 0) * size
