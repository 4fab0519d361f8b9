import type { FieldRead } from '../../contract-papers.ts'
import type { Doubt, Proof, ReadField } from '../../contract-words.ts'
import { doubtAt } from './light.ts'
import type { Light } from './light.ts'
import { doubtfulIn } from './lines.ts'
import type { Line } from './lines.ts'

/** Minimum confidence of a sure character. Measured on drawn papers: misread characters score below it, correct ones almost never. */
export const LEAST = 0.9

export const unread = (name: ReadField): FieldRead => ({ name, value: '', sure: false, proof: null, reason: 'unread', doubtful: [], box: null })

export const sure = (name: ReadField, value: string, line: Line, proof: Proof): FieldRead => ({
  name,
  value,
  sure: true,
  proof,
  reason: null,
  doubtful: [],
  box: line.box,
})

export const unsure = (name: ReadField, value: string, line: Line, reason: Doubt, doubtful: [number, number][] = []): FieldRead => ({
  name,
  value,
  sure: false,
  proof: null,
  reason,
  doubtful,
  box: line.box,
})

/** Field without a check digit: sure if every character was read clearly. */
export function plainField(name: ReadField, line: Line | undefined, light: Light, fits: RegExp): FieldRead {
  if (!line?.text) return unread(name)
  const doubtful = doubtfulIn(line, LEAST)
  if (!doubtful.length && fits.test(line.text)) return sure(name, line.text, line, 'read')
  return unsure(name, line.text, line, doubtAt(light, line.box), doubtful.length ? doubtful : [[0, line.text.length]])
}

/** Date of 1991, 2, 28; undefined if the day does not exist. */
export function dayFrom(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text ? undefined : text
}

/** Checks if every character was read clearly. */
export const isClear = (line: Line, least = LEAST): boolean => line.chances.every((chance) => chance >= least)
