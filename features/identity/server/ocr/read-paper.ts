import type Sharp from 'sharp'
import { loadPackage } from '#platform/server/load-package.ts'
import type { FieldReading } from '../../contract-papers.ts'
import type { UploadPurpose } from '../../contract-words.ts'
import { buildUnreadField, parseDay, isClearLine, buildPlainField, buildSureField, buildUnsureField, MIN_CONFIDENCE } from './fields.ts'
import { measureBrightness, findDoubt } from './light.ts'
import type { Brightness } from './light.ts'
import { findDoubtfulRanges, matchPiece, joinOcrLines } from './lines.ts'
import type { OcrLine, OcrResult } from './lines.ts'
import { findMachineLines, readPassport } from './passport.ts'
import { readBirthday, isIdentityNumber } from '#platform/shared/identity-number.ts'

const HAN_NAME = /^\p{Script=Han}[\p{Script=Han}·]{0,28}\p{Script=Han}$/u
/** Below that of the other fields: a wrong digit is caught by the check digit, and by the birthday printed beside it. */
const MIN_NUMBER_CONFIDENCE = 0.6

/** Reads the side with the portrait. */
function readIdFront(lines: readonly OcrLine[], light: Brightness): FieldReading[] {
  const numbered = numberIn(lines)
  const born = lines.map((line) => matchPiece(line, /(\d{4}年\d{1,2}月\d{1,2}日?)/)).find(Boolean)
  const birthday = born && /(\d{4})年(\d{1,2})月(\d{1,2})/.exec(born.text)
  const day = birthday ? parseDay(birthday[1]!, birthday[2]!, birthday[3]!) : undefined
  const sex = lines.map((line) => matchPiece(line, /别(男|女)/) ?? matchPiece(line, /^性?别?(男|女)/)).find(Boolean)
  const number = numberField(numbered, day, { sex: sex?.text, light })
  return [
    buildPlainField('chineseName', nameIn(lines), { light, fits: HAN_NAME }),
    number,
    birthField(number, born, { day, light }),
    buildPlainField('sex', sex, { light, fits: /^[男女]$/ }),
    buildPlainField('nation', lines.map((line) => matchPiece(line, /民?族(\p{Script=Han}{1,6})$/u)).find(Boolean), { light, fits: /./ }),
    buildPlainField('address', addressIn(lines), { light, fits: /.{6}/ }),
  ]
}

function numberIn(lines: readonly OcrLine[]): OcrLine | undefined {
  const exact = lines.map((line) => matchPiece(line, /(?<!\d)(\d{17}[\dXx])(?![\dXx])/)).find(Boolean)
  return exact ?? lines.map((line) => matchPiece(line, /号?码?([\dXx]{12,20})$/)).find(Boolean)
}

/** The check digit, the printed birthday and the sex must all agree: a misreading that passes one by chance fails the next. */
function numberField(
  line: OcrLine | undefined,
  day: string | undefined,
  { sex, light }: { readonly sex: string | undefined; readonly light: Brightness },
): FieldReading {
  if (!line) return buildUnreadField('number')
  const value = line.text.toUpperCase()
  const doubtful = findDoubtfulRanges(line, MIN_NUMBER_CONFIDENCE)
  if (value.length !== 18) return buildUnsureField('number', value, { line, reason: 'cut', doubtful: [[0, value.length]] })
  if (!isIdentityNumber(value)) return buildUnsureField('number', value, { line, reason: 'check', doubtful: doubtful.length ? doubtful : [[0, 18]] })
  if (day && readBirthday(value) !== day) return buildUnsureField('number', value, { line, reason: 'unlike', doubtful: [[6, 14]] })
  if (sex && (Number(value[16]) % 2 === 1) !== (sex === '男')) return buildUnsureField('number', value, { line, reason: 'unlike', doubtful: [[16, 17]] })
  // Without a printed value to compare, every digit must be clear.
  if (doubtful.length || (!day && !isClearLine(line)))
    return buildUnsureField('number', value, {
      line,
      reason: findDoubt(light, line.box),
      doubtful: doubtful.length ? doubtful : findDoubtfulRanges(line, MIN_CONFIDENCE),
    })
  return buildSureField('number', value, { line, proof: 'checkDigit' })
}

function birthField(
  number: FieldReading,
  born: OcrLine | undefined,
  { day, light }: { readonly day: string | undefined; readonly light: Brightness },
): FieldReading {
  const said = number.sure ? readBirthday(number.value) : undefined
  if (said) return { ...buildSureField('birthDate', said, { line: born ?? { text: '', chances: [], box: number.box! }, proof: 'likeNumber' }) }
  if (!born || !day) return buildUnreadField('birthDate')
  return buildUnsureField('birthDate', day, { line: born, reason: findDoubt(light, born.box), doubtful: [[0, day.length]] })
}

function nameIn(lines: readonly OcrLine[]): OcrLine | undefined {
  const named = lines.map((line) => matchPiece(line, /^姓?名(.+)$/)).find(Boolean)
  if (named) return named
  const below = lines.findIndex(({ text }) => /性别|民族/.test(text))
  const above = below > 0 ? lines[below - 1] : undefined
  return above && HAN_NAME.test(above.text) ? above : undefined
}

/** Finds the address, from its label to the number; text right of the middle belongs to the portrait. */
function addressIn(lines: readonly OcrLine[]): OcrLine | undefined {
  const from = lines.findIndex(({ text }) => /^(住址|住|址)/.test(text))
  if (from < 0) return undefined
  const until = lines.findIndex(({ text }, at) => at > from && /公民|身份|号码|\d{15}/.test(text))
  const rows = lines.slice(from, until < 0 ? from + 4 : until)
  const first = matchPiece(rows[0]!, /^(?:住址|住|址)(.*)$/)
  return joinOcrLines([...(first ? [first] : []), ...rows.slice(1)])
}

/** Years for which cards are issued, to the day. */
const VALIDITY_YEARS = [5, 10, 20]

/** Reads the side with the emblem. */
function readIdBack(lines: readonly OcrLine[], light: Brightness): FieldReading[] {
  const issuer = lines.map((line) => matchPiece(line, /机?关(\p{Script=Han}{3,30})$/u)).find(Boolean) ?? lines.find(({ text }) => /公安(局|分局)/.test(text))
  return [buildPlainField('issuer', issuer, { light, fits: /公安/ }), ...readValidity(lines, light)]
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
    return [
      buildUnreadField('validFrom'),
      until ? buildUnsureField('validUntil', until, { line: dates, reason, doubtful: [[0, until.length]] }) : buildUnreadField('validUntil'),
    ]
  if (!until) return [buildUnsureField('validFrom', from, { line: dates, reason }), { ...buildUnreadField('validUntil'), reason, box: dates.box }]
  if (until === 'forever')
    return [
      isClearLine(dates) ? buildSureField('validFrom', from, { line: dates, proof: 'read' }) : buildUnsureField('validFrom', from, { line: dates, reason }),
      buildFieldIfClear(dates, until, reason),
    ]
  // The end is some full years after the beginning, so the two dates confirm each other.
  const agrees = VALIDITY_YEARS.includes(Number(until.slice(0, 4)) - Number(from.slice(0, 4))) && from.slice(5) === until.slice(5)
  if (agrees && isClearLine(dates, 0.6))
    return [buildSureField('validFrom', from, { line: dates, proof: 'twice' }), buildSureField('validUntil', until, { line: dates, proof: 'twice' })]
  const doubtful = findDoubtfulRanges(dates, 0.9).length ? reason : 'unlike'
  return [
    buildUnsureField('validFrom', from, { line: dates, reason: doubtful, doubtful: [[0, 10]] }),
    buildUnsureField('validUntil', until, { line: dates, reason: doubtful, doubtful: [[0, 10]] }),
  ]
}

const buildFieldIfClear = (line: OcrLine, value: string, reason: FieldReading['reason'] & string): FieldReading =>
  isClearLine(line) ? buildSureField('validUntil', value, { line, proof: 'read' }) : buildUnsureField('validUntil', value, { line, reason })

export type ReadablePicture = Exclude<UploadPurpose, 'photo' | 'evidence'>
export type PaperReadResult =
  | { readonly outcome: 'read'; readonly fields: FieldReading[]; /** Set if the picture was rotated. */ readonly turned?: Buffer }
  | { readonly outcome: 'wrong'; readonly is: ReadablePicture }

/** Fields of each paper. */
export const FIELDS_BY_PICTURE = {
  idFront: ['chineseName', 'number', 'birthDate', 'sex', 'nation', 'address'],
  idBack: ['issuer', 'validFrom', 'validUntil'],
  passport: ['chineseName', 'latinName', 'number', 'birthDate', 'validUntil', 'country', 'sex'],
} as const
const READERS = { idFront: readIdFront, idBack: readIdBack, passport: readPassport }
/** Skew in degrees above which lines run into each other. */
const MAX_SKEW_DEGREES = 1.2

/** Kind of paper in a picture, by the words printed on all of its kind; undefined if there are none. */
export function detectPaper(lines: readonly OcrLine[]): ReadablePicture | undefined {
  const all = lines.map(({ text }) => text).join('\n')
  const count = (...words: readonly RegExp[]) => words.filter((word) => word.test(all)).length
  const front = count(/公民身份/, /身份号码/, /民族/, /住址/, /性别/, /姓名/, /出生/)
  const back = count(/签发机关/, /居民身份证/, /有效期限/, /签发/, /公安局/) + (/\d{4}\.\d{2}\.\d{2}/.test(all) ? 1 : 0)
  const passport = (findMachineLines(lines) ? 3 : 0) + count(/PASSPORT/i, /护照/, /<<<</, /Dateofbirth|CountryCode/i)
  const most = Math.max(front, back, passport)
  if (most < 2) return undefined
  return passport === most ? 'passport' : front === most ? 'idFront' : 'idBack'
}

type RunOcr = (jpeg: Buffer) => Promise<OcrResult>

/** Reads a paper, after straightening or rotating the picture if needed. */
export async function readPaper(read: RunOcr, jpeg: Buffer, wanted: ReadablePicture): Promise<PaperReadResult> {
  const found = await straighten(read, jpeg)
  if (!found) return { outcome: 'read', fields: FIELDS_BY_PICTURE[wanted].map(buildUnreadField) }
  if (found.kind !== wanted) return { outcome: 'wrong', is: found.kind }
  const fields = READERS[wanted](found.seen.lines, await measureBrightness(found.jpeg))
  return { outcome: 'read', fields, ...(found.jpeg === jpeg ? {} : { turned: found.jpeg }) }
}

async function straighten(read: RunOcr, jpeg: Buffer) {
  for (const degrees of [0, 180, 90, 270]) {
    const picture = degrees ? await rotate(jpeg, degrees) : jpeg
    const seen = await read(picture)
    const kind = detectPaper(seen.lines)
    if (Math.abs(seen.lean) > MAX_SKEW_DEGREES && Math.abs(seen.lean) < 30 && (kind || seen.lines.length > 3)) {
      const straight = await rotate(picture, -seen.lean)
      const again = await read(straight)
      const now = detectPaper(again.lines)
      if (now) return { kind: now, seen: again, jpeg: straight }
    }
    if (kind) return { kind, seen, jpeg: picture }
    // An empty result has no orientation.
    if (!seen.lines.length && degrees === 0) return undefined
  }
  return undefined
}

const rotate = (jpeg: Buffer, degrees: number): Promise<Buffer> =>
  loadPackage<typeof Sharp>('sharp')(jpeg).rotate(degrees, { background: '#808080' }).jpeg({ quality: 92 }).toBuffer()
