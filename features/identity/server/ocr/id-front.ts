import { readBirthday, isIdentityNumber } from '#platform/shared/identity-number.ts'
import type { FieldReading } from '../../contract-papers.ts'
import { parseDay, isClearLine, MIN_CONFIDENCE, buildPlainField, buildSureField, buildUnreadField, buildUnsureField } from './fields.ts'
import { findDoubt } from './light.ts'
import type { Brightness } from './light.ts'
import { findDoubtfulRanges, joinOcrLines, matchPiece } from './lines.ts'
import type { OcrLine } from './lines.ts'

const HAN_NAME = /^\p{Script=Han}[\p{Script=Han}·]{0,28}\p{Script=Han}$/u
/** Below the other fields: a wrong digit is caught by the check sign, and by the birthday that is printed beside it. */
const MIN_NUMBER_CONFIDENCE = 0.6

/** The side with the portrait. */
export function readIdFront(lines: readonly OcrLine[], light: Brightness): FieldReading[] {
  const numbered = numberIn(lines)
  const born = lines.map((line) => matchPiece(line, /(\d{4}年\d{1,2}月\d{1,2}日?)/)).find(Boolean)
  const birthday = born && /(\d{4})年(\d{1,2})月(\d{1,2})/.exec(born.text)
  const day = birthday ? parseDay(birthday[1]!, birthday[2]!, birthday[3]!) : undefined
  const sex = lines.map((line) => matchPiece(line, /别(男|女)/) ?? matchPiece(line, /^性?别?(男|女)/)).find(Boolean)
  const number = numberField(numbered, day, sex?.text, light)
  return [
    buildPlainField('chineseName', nameIn(lines), light, HAN_NAME),
    number,
    birthField(number, born, day, light),
    buildPlainField('sex', sex, light, /^[男女]$/),
    buildPlainField('nation', lines.map((line) => matchPiece(line, /民?族(\p{Script=Han}{1,6})$/u)).find(Boolean), light, /./),
    buildPlainField('address', addressIn(lines), light, /.{6}/),
  ]
}

function numberIn(lines: readonly OcrLine[]): OcrLine | undefined {
  const exact = lines.map((line) => matchPiece(line, /(?<!\d)(\d{17}[\dXx])(?![\dXx])/)).find(Boolean)
  return exact ?? lines.map((line) => matchPiece(line, /号?码?([\dXx]{12,20})$/)).find(Boolean)
}

/** The check sign, the printed birthday and the sex must all say the same: what passes one of them by chance fails the next. */
function numberField(line: OcrLine | undefined, day: string | undefined, sex: string | undefined, light: Brightness): FieldReading {
  if (!line) return buildUnreadField('number')
  const value = line.text.toUpperCase()
  const doubtful = findDoubtfulRanges(line, MIN_NUMBER_CONFIDENCE)
  if (value.length !== 18) return buildUnsureField('number', value, line, 'cut', [[0, value.length]])
  if (!isIdentityNumber(value)) return buildUnsureField('number', value, line, 'check', doubtful.length ? doubtful : [[0, 18]])
  if (day && readBirthday(value) !== day) return buildUnsureField('number', value, line, 'unlike', [[6, 14]])
  if (sex && (Number(value[16]) % 2 === 1) !== (sex === '男')) return buildUnsureField('number', value, line, 'unlike', [[16, 17]])
  // Nothing beside it says the same: then every digit must be clear.
  if (doubtful.length || (!day && !isClearLine(line)))
    return buildUnsureField('number', value, line, findDoubt(light, line.box), doubtful.length ? doubtful : findDoubtfulRanges(line, MIN_CONFIDENCE))
  return buildSureField('number', value, line, 'checkDigit')
}

function birthField(number: FieldReading, born: OcrLine | undefined, day: string | undefined, light: Brightness): FieldReading {
  const said = number.sure ? readBirthday(number.value) : undefined
  if (said) return { ...buildSureField('birthDate', said, born ?? { text: '', chances: [], box: number.box! }, 'likeNumber') }
  if (!born || !day) return buildUnreadField('birthDate')
  return buildUnsureField('birthDate', day, born, findDoubt(light, born.box), [[0, day.length]])
}

function nameIn(lines: readonly OcrLine[]): OcrLine | undefined {
  const named = lines.map((line) => matchPiece(line, /^姓?名(.+)$/)).find(Boolean)
  if (named) return named
  const below = lines.findIndex(({ text }) => /性别|民族/.test(text))
  const above = below > 0 ? lines[below - 1] : undefined
  return above && HAN_NAME.test(above.text) ? above : undefined
}

/** From its label to the number; what stands right of the middle is the portrait's side. */
function addressIn(lines: readonly OcrLine[]): OcrLine | undefined {
  const from = lines.findIndex(({ text }) => /^(住址|住|址)/.test(text))
  if (from < 0) return undefined
  const until = lines.findIndex(({ text }, at) => at > from && /公民|身份|号码|\d{15}/.test(text))
  const rows = lines.slice(from, until < 0 ? from + 4 : until)
  const first = matchPiece(rows[0]!, /^(?:住址|住|址)(.*)$/)
  return joinOcrLines([...(first ? [first] : []), ...rows.slice(1)])
}
