import type { FieldReading } from '../../contract-papers.ts'
import type { ReadingDoubt, ReadingProof, PaperField } from '../../contract-words.ts'
import { findDoubt } from './light.ts'
import type { Brightness } from './light.ts'
import { findDoubtfulRanges } from './lines.ts'
import type { OcrLine } from './lines.ts'

/** Minimum confidence of a sure character. Measured on drawn papers: misread characters score below it, correct ones almost never. */
export const MIN_CONFIDENCE = 0.9

export const buildUnreadField = (name: PaperField): FieldReading => ({ name, value: '', sure: false, proof: null, reason: 'unread', doubtful: [], box: null })

export const buildSureField = (name: PaperField, value: string, { line, proof }: { readonly line: OcrLine; readonly proof: ReadingProof }): FieldReading => ({
  name,
  value,
  sure: true,
  proof,
  reason: null,
  doubtful: [],
  box: line.box,
})

export const buildUnsureField = (
  name: PaperField,
  value: string,
  { line, reason, doubtful = [] }: { readonly line: OcrLine; readonly reason: ReadingDoubt; readonly doubtful?: [number, number][] },
): FieldReading => ({
  name,
  value,
  sure: false,
  proof: null,
  reason,
  doubtful,
  box: line.box,
})

/** Field without a check digit: sure if every character was read clearly. */
export function buildPlainField(
  name: PaperField,
  line: OcrLine | undefined,
  { light, fits }: { readonly light: Brightness; readonly fits: RegExp },
): FieldReading {
  if (!line?.text) return buildUnreadField(name)
  const doubtful = findDoubtfulRanges(line, MIN_CONFIDENCE)
  if (!doubtful.length && fits.test(line.text)) return buildSureField(name, line.text, { line, proof: 'read' })
  return buildUnsureField(name, line.text, { line, reason: findDoubt(light, line.box), doubtful: doubtful.length ? doubtful : [[0, line.text.length]] })
}

/** Date of 1991, 2, 28; undefined if the day does not exist. */
export function parseDay(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text ? undefined : text
}

/** Checks if every character was read clearly. */
export const isClearLine = (line: OcrLine, least = MIN_CONFIDENCE): boolean => line.chances.every((chance) => chance >= least)
