import { birthdayIn, isIdentityNumber } from '#platform/shared/identity-number.ts'
import type { FieldRead } from '../../contract-papers.ts'
import { dayFrom, isClear, LEAST, plainField, sure, unread, unsure } from './fields.ts'
import { doubtAt } from './light.ts'
import type { Light } from './light.ts'
import { doubtfulIn, joined, piece } from './lines.ts'
import type { Line } from './lines.ts'

const HAN_NAME = /^\p{Script=Han}[\p{Script=Han}·]{0,28}\p{Script=Han}$/u
/** Below the other fields: a wrong digit is caught by the check sign, and by the birthday that is printed beside it. */
const NUMBER_LEAST = 0.6

/** The side with the portrait. */
export function readIdFront(lines: readonly Line[], light: Light): FieldRead[] {
  const numbered = numberIn(lines)
  const born = lines.map((line) => piece(line, /(\d{4}年\d{1,2}月\d{1,2}日?)/)).find(Boolean)
  const birthday = born && /(\d{4})年(\d{1,2})月(\d{1,2})/.exec(born.text)
  const day = birthday ? dayFrom(birthday[1]!, birthday[2]!, birthday[3]!) : undefined
  const sex = lines.map((line) => piece(line, /别(男|女)/) ?? piece(line, /^性?别?(男|女)/)).find(Boolean)
  const number = numberField(numbered, day, sex?.text, light)
  return [
    plainField('chineseName', nameIn(lines), light, HAN_NAME),
    number,
    birthField(number, born, day, light),
    plainField('sex', sex, light, /^[男女]$/),
    plainField('nation', lines.map((line) => piece(line, /民?族(\p{Script=Han}{1,6})$/u)).find(Boolean), light, /./),
    plainField('address', addressIn(lines), light, /.{6}/),
  ]
}

function numberIn(lines: readonly Line[]): Line | undefined {
  const exact = lines.map((line) => piece(line, /(?<!\d)(\d{17}[\dXx])(?![\dXx])/)).find(Boolean)
  return exact ?? lines.map((line) => piece(line, /号?码?([\dXx]{12,20})$/)).find(Boolean)
}

/** The check sign, the printed birthday and the sex must all say the same: what passes one of them by chance fails the next. */
function numberField(line: Line | undefined, day: string | undefined, sex: string | undefined, light: Light): FieldRead {
  if (!line) return unread('number')
  const value = line.text.toUpperCase()
  const doubtful = doubtfulIn(line, NUMBER_LEAST)
  if (value.length !== 18) return unsure('number', value, line, 'cut', [[0, value.length]])
  if (!isIdentityNumber(value)) return unsure('number', value, line, 'check', doubtful.length ? doubtful : [[0, 18]])
  if (day && birthdayIn(value) !== day) return unsure('number', value, line, 'unlike', [[6, 14]])
  if (sex && (Number(value[16]) % 2 === 1) !== (sex === '男')) return unsure('number', value, line, 'unlike', [[16, 17]])
  // Nothing beside it says the same: then every digit must be clear.
  if (doubtful.length || (!day && !isClear(line)))
    return unsure('number', value, line, doubtAt(light, line.box), doubtful.length ? doubtful : doubtfulIn(line, LEAST))
  return sure('number', value, line, 'checkDigit')
}

function birthField(number: FieldRead, born: Line | undefined, day: string | undefined, light: Light): FieldRead {
  const said = number.sure ? birthdayIn(number.value) : undefined
  if (said) return { ...sure('birthDate', said, born ?? { text: '', chances: [], box: number.box! }, 'likeNumber') }
  if (!born || !day) return unread('birthDate')
  return unsure('birthDate', day, born, doubtAt(light, born.box), [[0, day.length]])
}

function nameIn(lines: readonly Line[]): Line | undefined {
  const named = lines.map((line) => piece(line, /^姓?名(.+)$/)).find(Boolean)
  if (named) return named
  const below = lines.findIndex(({ text }) => /性别|民族/.test(text))
  const above = below > 0 ? lines[below - 1] : undefined
  return above && HAN_NAME.test(above.text) ? above : undefined
}

/** From its label to the number; what stands right of the middle is the portrait's side. */
function addressIn(lines: readonly Line[]): Line | undefined {
  const from = lines.findIndex(({ text }) => /^(住址|住|址)/.test(text))
  if (from < 0) return undefined
  const until = lines.findIndex(({ text }, at) => at > from && /公民|身份|号码|\d{15}/.test(text))
  const rows = lines.slice(from, until < 0 ? from + 4 : until)
  const first = piece(rows[0]!, /^(?:住址|住|址)(.*)$/)
  return joined([...(first ? [first] : []), ...rows.slice(1)])
}
