import type { FieldRead } from '../../contract-papers.ts'
import { dayFrom, isClear, plainField, sure, unread, unsure } from './fields.ts'
import { doubtAt } from './light.ts'
import type { Light } from './light.ts'
import { doubtfulIn, piece } from './lines.ts'
import type { Line } from './lines.ts'

/** Cards are made for so many years, to the day. */
const YEARS = [5, 10, 20]

/** The side with the emblem. */
export function readIdBack(lines: readonly Line[], light: Light): FieldRead[] {
  const issuer = lines.map((line) => piece(line, /机?关(\p{Script=Han}{3,30})$/u)).find(Boolean) ?? lines.find(({ text }) => /公安(局|分局)/.test(text))
  return [plainField('issuer', issuer, light, /公安/), ...validity(lines, light)]
}

function validity(lines: readonly Line[], light: Light): FieldRead[] {
  const line = lines.find(({ text }) => /\d{4}\.?\d{2}\.?\d{2}/.test(text))
  const dates = line && piece(line, /(\d{4}[.,]?\d{2}[.,]?\d{2}[-一—~至]*(?:\d{4}[.,]?\d{2}[.,]?\d{2}|长期|.*)$)/)
  if (!line || !dates) return [unread('validFrom'), unread('validUntil')]
  const parts = /(\d{4})[.,]?(\d{2})[.,]?(\d{2})[-一—~至]*(?:(\d{4})[.,]?(\d{2})[.,]?(\d{2})$|(长期))?/.exec(dates.text)
  const from = parts ? dayFrom(parts[1]!, parts[2]!, parts[3]!) : undefined
  const until = parts?.[7] ? 'forever' : parts?.[4] ? dayFrom(parts[4], parts[5]!, parts[6]!) : undefined
  const reason = doubtAt(light, dates.box)
  if (!from) return [unread('validFrom'), until ? unsure('validUntil', until, dates, reason, [[0, until.length]]) : unread('validUntil')]
  if (!until) return [unsure('validFrom', from, dates, reason), { ...unread('validUntil'), reason, box: dates.box }]
  if (until === 'forever')
    return [isClear(dates) ? sure('validFrom', from, dates, 'read') : unsure('validFrom', from, dates, reason), sureIfClear(dates, until, reason)]
  // The end is the beginning some full years later: said twice, a misreading of one shows.
  const agrees = YEARS.includes(Number(until.slice(0, 4)) - Number(from.slice(0, 4))) && from.slice(5) === until.slice(5)
  if (agrees && isClear(dates, 0.6)) return [sure('validFrom', from, dates, 'twice'), sure('validUntil', until, dates, 'twice')]
  const doubtful = doubtfulIn(dates, 0.9).length ? reason : 'unlike'
  return [unsure('validFrom', from, dates, doubtful, [[0, 10]]), unsure('validUntil', until, dates, doubtful, [[0, 10]])]
}

const sureIfClear = (line: Line, value: string, reason: FieldRead['reason'] & string): FieldRead =>
  isClear(line) ? sure('validUntil', value, line, 'read') : unsure('validUntil', value, line, reason)
