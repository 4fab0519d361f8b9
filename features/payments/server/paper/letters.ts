import { fontFile, filesFor } from './fonts.ts'
import type { Weight } from './fonts.ts'

/** What we ask of an opened font. */
interface Glyphs {
  readonly unitsPerEm: number
  readonly hasGlyphForCodePoint: (codePoint: number) => boolean
  readonly glyphForCodePoint: (codePoint: number) => { readonly advanceWidth: number }
}

const opened = new Map<string, Glyphs>()

/** What stands for a sign that no font of ours has: an emoji, a letter of another script. */
export const MISSING = '\u3013'
const PLAIN = 'chinese-simplified'

/** The fonts of one document: which of them has a sign, and how wide it is there. */
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

/** What a document begins with. */
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

/** Em per sign: there is no kerning, so that a line is as wide as its signs. */
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

/** Neighbours in one font are one run; a sign that nobody has is a geta mark. */
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
