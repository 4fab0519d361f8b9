import type { FieldReading } from '../../contract-papers.ts'
import { parseDay, isClearLine, buildPlainField, buildSureField, buildUnreadField, buildUnsureField } from './fields.ts'
import { findDoubt } from './light.ts'
import type { Brightness } from './light.ts'
import { findDoubtfulRanges, matchPiece } from './lines.ts'
import type { OcrLine } from './lines.ts'

/** Cards are made for so many years, to the day. */
const VALIDITY_YEARS = [5, 10, 20]

/** The side with the emblem. */
export function readIdBack(lines: readonly OcrLine[], light: Brightness): FieldReading[] {
  const issuer = lines.map((line) => matchPiece(line, /机?关(\p{Script=Han}{3,30})$/u)).find(Boolean) ?? lines.find(({ text }) => /公安(局|分局)/.test(text))
  return [buildPlainField('issuer', issuer, light, /公安/), ...readValidity(lines, light)]
}

function readValidity(lines: readonly OcrLine[], light: Brightness): FieldReading[] {
  const line = lines.find(({ text }) => /\d{4}\.?\d{2}\.?\d{2}/.test(text))
  const dates = line && matchPiece(line, /(\d{4}[.,]?\d{2}[.,]?\d{2}[-一—~至]*(?:\d{4}[.,]?\d{2}[.,]?\d{2}|长期|.*)$)/)
  if (!line || !dates) return [buildUnreadField('validFrom'), buildUnreadField('validUntil')]
  const parts = /(\d{4})[.,]?(\d{2})[.,]?(\d{2})[-一—~至]*(?:(\d{4})[.,]?(\d{2})[.,]?(\d{2})$|(长期))?/.exec(dates.text)
  const from = parts ? parseDay(parts[1]!, parts[2]!, parts[3]!) : undefined
  const until = parts?.[7] ? 'forever' : parts?.[4] ? parseDay(parts[4], parts[5]!, parts[6]!) : undefined
  const reason = findDoubt(light, dates.box)
  if (!from)
    return [buildUnreadField('validFrom'), until ? buildUnsureField('validUntil', until, dates, reason, [[0, until.length]]) : buildUnreadField('validUntil')]
  if (!until) return [buildUnsureField('validFrom', from, dates, reason), { ...buildUnreadField('validUntil'), reason, box: dates.box }]
  if (until === 'forever')
    return [
      isClearLine(dates) ? buildSureField('validFrom', from, dates, 'read') : buildUnsureField('validFrom', from, dates, reason),
      buildFieldIfClear(dates, until, reason),
    ]
  // The end is the beginning some full years later: said twice, a misreading of one shows.
  const agrees = VALIDITY_YEARS.includes(Number(until.slice(0, 4)) - Number(from.slice(0, 4))) && from.slice(5) === until.slice(5)
  if (agrees && isClearLine(dates, 0.6)) return [buildSureField('validFrom', from, dates, 'twice'), buildSureField('validUntil', until, dates, 'twice')]
  const doubtful = findDoubtfulRanges(dates, 0.9).length ? reason : 'unlike'
  return [buildUnsureField('validFrom', from, dates, doubtful, [[0, 10]]), buildUnsureField('validUntil', until, dates, doubtful, [[0, 10]])]
}

const buildFieldIfClear = (line: OcrLine, value: string, reason: FieldReading['reason'] & string): FieldReading =>
  isClearLine(line) ? buildSureField('validUntil', value, line, 'read') : buildUnsureField('validUntil', value, line, reason)
