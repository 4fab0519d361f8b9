import PDFDocument from 'pdfkit'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { inflateSync } from 'node:zlib'

/** Font tables needed to draw a page. The typography tables make up most of a CJK font and would be parsed again for every document. */
const REQUIRED_TABLES = new Set(['cmap', 'glyf', 'loca', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2', 'post', 'prep', 'fpgm', 'cvt '])

/**
 * Unpacks a WOFF file (W3C WOFF 1.0) into a plain font. From WOFF, every document would inflate all tables again; from a plain font it
 * reads only the glyphs it shows.
 */
function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file')
  const tables = Array.from({ length: woff.readUInt16BE(12) }, (_, at) => {
    const entry = 44 + at * 20
    const [offset, packed, length] = [woff.readUInt32BE(entry + 4), woff.readUInt32BE(entry + 8), woff.readUInt32BE(entry + 12)]
    const raw = woff.subarray(offset, offset + packed)
    return { tag: woff.subarray(entry, entry + 4), checksum: woff.readUInt32BE(entry + 16), bytes: packed < length ? inflateSync(raw) : raw }
  }).filter(({ tag }) => REQUIRED_TABLES.has(tag.toString('latin1')))
  const count = tables.length
  const power = 2 ** Math.floor(Math.log2(count))
  const head = Buffer.alloc(12 + count * 16)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(power * 16, 6)
  head.writeUInt16BE(Math.log2(power), 8)
  head.writeUInt16BE((count - power) * 16, 10)
  const pieces: Buffer[] = [head]
  let offset = head.length
  for (const [at, { tag, checksum, bytes }] of tables.entries()) {
    const entry = 12 + at * 16
    tag.copy(head, entry)
    head.writeUInt32BE(checksum, entry + 4)
    head.writeUInt32BE(offset, entry + 8)
    head.writeUInt32BE(bytes.length, entry + 12)
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4)
    pieces.push(bytes, padding)
    offset += bytes.length + padding.length
  }
  return Buffer.concat(pieces)
}

type FontWeight = 400 | 700

const folder = dirname(createRequire(import.meta.url).resolve('@fontsource/noto-sans-sc/package.json'))
/** Latin, Greek and the common Chinese characters: enough for nearly every text. */
const MAIN_SUBSET = 'chinese-simplified'
const fontFiles = new Map<string, Buffer>()
let ranges: readonly { readonly name: string; readonly spans: readonly (readonly [number, number])[] }[] | undefined

/** Reads and unpacks a font file, once per process. Source: @fontsource/noto-sans-sc (SIL Open Font License). */
function loadFontFile(name: string, weight: FontWeight): Buffer {
  const file = `noto-sans-sc-${name}-${weight}-normal.woff`
  const known = fontFiles.get(file)
  if (known) return known
  const font = unpackWoff(readFileSync(join(folder, 'files', file)))
  fontFiles.set(file, font)
  return font
}

/** Font files that may hold a character, likeliest first. The package's ranges overstate its files, so check the file too. */
function listFontFiles(codePoint: number): string[] {
  ranges ??= readRanges()
  return [MAIN_SUBSET, ...ranges.filter(({ spans }) => spans.some(([from, to]) => codePoint >= from && codePoint <= to)).map(({ name }) => name)]
}

function readRanges() {
  const listed = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>
  return Object.entries(listed).map(([key, text]) => ({
    name: key.replaceAll(/[[\]]/g, ''),
    spans: text.split(',').map((span): [number, number] => {
      const [from = '0', to = from] = span.replace('U+', '').split('-')
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
    }),
  }))
}

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
interface DocumentFonts {
  readonly doc: PDFKit.PDFDocument
  /** By font and weight. */
  readonly held: Map<string, Glyphs>
  /** Widths in em, by font, weight and character. */
  readonly advances: Map<string, number>
  /** Returns a font with a glyph for the character in a weight; undefined if there is none. */
  readonly fonts: Map<string, string | undefined>
}

/** Adjacent characters drawn in one font. */
interface FontRun {
  readonly font: string
  text: string
}

const createDocumentFonts = (doc: PDFKit.PDFDocument): DocumentFonts => ({ doc, held: new Map(), advances: new Map(), fonts: new Map() })

/** Default font of a new document. */
const loadDefaultFont = (): unknown => openedFonts.get(`${DEFAULT_SUBSET}-400`) ?? loadFontFile(DEFAULT_SUBSET, 400)

function openFont({ doc, held }: DocumentFonts, name: string, weight: FontWeight): Glyphs {
  const key = `${name}-${weight}`
  const known = held.get(key)
  if (known) {
    doc.font(key)
    return known
  }
  const source: unknown = openedFonts.get(key) ?? loadFontFile(name, weight)
  doc.registerFont(key, source as Buffer).font(key)
  // pdfkit does not report a missing glyph, but the font it opened does. pdfkit also accepts an opened font, so the tables are read once
  // per process.
  const { font } = (doc as unknown as { _font: { font: Glyphs } })._font
  openedFonts.set(key, font)
  held.set(key, font)
  return font
}

/** Width of a character in em. Without kerning, a line is as wide as the sum of its characters. */
function measureAdvance(letters: DocumentFonts, sign: string, { name, weight }: { readonly name: string; readonly weight: FontWeight }): number {
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
function splitIntoRuns(letters: DocumentFonts, text: string, weight: FontWeight): FontRun[] {
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

const measureRun = (letters: DocumentFonts, run: FontRun, { size, weight }: { readonly size: number; readonly weight: FontWeight }): number =>
  [...run.text].reduce((sum, sign) => sum + measureAdvance(letters, sign, { name: run.font, weight }), 0) * size

export interface Style {
  readonly size?: number
  readonly weight?: FontWeight
  readonly color?: string
}
/** Points from the page's left and top edges. */
export type Point = readonly [x: number, y: number]
/** Draws arbitrary user input. Lengths are points; `y` is the top of the line. */
export interface Pen {
  readonly doc: PDFKit.PDFDocument
  /** Returns the width of the drawn text. */
  readonly put: (text: string, from: Point, style?: Style) => number
  /** `from` is the right end of the line. */
  readonly putRight: (text: string, from: Point, style?: Style) => number
  readonly width: (text: string, style?: Style) => number
  /** Splits into lines of at most `width`. */
  readonly lines: (text: string, width: number, style?: Style) => string[]
  readonly finish: () => Promise<Uint8Array<ArrayBuffer>>
}

/** Controls, bidirectional marks and joiners, which could make a line read as another. */
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
    put: (text, from, style) => drawText(letters, text, { from, style }),
    putRight: (text, [right, y], style) => drawText(letters, text, { from: [right - measureWidth(letters, text, style), y], style }),
    width: (text, style) => measureWidth(letters, text, style),
    lines: (text, room, style) => wrapLines(letters, text, { room, style }),
    finish: () => {
      doc.end()
      return done
    },
  }
}

function measureWidth(letters: DocumentFonts, text: string, { size = 10, weight = 400 }: Style = {}): number {
  return splitIntoRuns(letters, stripInvisible(text), weight).reduce((sum, run) => sum + measureRun(letters, run, { size, weight }), 0)
}

function drawText(letters: DocumentFonts, text: string, { from: [x, y], style = {} }: { readonly from: Point; readonly style?: Style | undefined }): number {
  const { size = 10, weight = 400, color = INK } = style
  let at = x
  for (const run of splitIntoRuns(letters, stripInvisible(text), weight)) {
    const wide = measureRun(letters, run, { size, weight })
    openFont(letters, run.font, weight)
    letters.doc.fontSize(size).fillColor(color).text(run.text, at, y, { lineBreak: false, features: [] })
    at += wide
  }
  return at - x
}

function wrapLines(letters: DocumentFonts, text: string, { room, style }: { readonly room: number; readonly style?: Style }): string[] {
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

/** Joins a text into one line and removes invisible characters. */
export function stripInvisible(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\t\r\n]+/g, ' ')
    .replace(INVISIBLE, '')
}
