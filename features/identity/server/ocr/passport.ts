import { parse } from 'mrz'
import type { FieldReading } from '../../contract-papers.ts'
import type { PaperField } from '../../contract-words.ts'
import { parseDay, buildPlainField, buildSureField, buildUnreadField, buildUnsureField } from './fields.ts'
import { findDoubt } from './light.ts'
import type { Brightness } from './light.ts'
import { matchPiece } from './lines.ts'
import type { OcrLine } from './lines.ts'

const SECOND = /^[A-Z0-9<]{9}\d[A-Z<]{3}\d{6}\d[MFX<]\d{6}\d/

/** The two machine-readable lines. */
export function findMachineLines(lines: readonly OcrLine[]): { first: OcrLine; second: OcrLine } | undefined {
  const flat = lines.map((line) => ({ ...line, text: line.text.toUpperCase().replace(/[«《]/g, '<') }))
  const second = flat.find(({ text }) => SECOND.test(text))
  const first = flat.find(({ text }) => /^P[A-Z0<][A-Z0-9]{3}[A-Z0-9]+<[A-Z0-9<]*$/.test(text))
  return first && second ? { first: { ...first, text: toLetters(first.text) }, second } : undefined
}

/** The first line contains only letters, so digits in it are misread letters. The name is compared with the one printed large. */
const toLetters = (text: string) => text.replace(/[01258]/g, (sign) => ({ 0: 'O', 1: 'I', 2: 'Z', 5: 'S', 8: 'B' })[sign]!)

/** Reads the portrait page: number, birthday and expiry have check digits, the name is printed twice. */
export function readPassport(lines: readonly OcrLine[], light: Brightness): FieldReading[] {
  const machine = findMachineLines(lines)
  const others = lines.filter(({ box }) => box !== machine?.first.box && box !== machine?.second.box)
  const chinese = buildPlainField('chineseName', chineseIn(others), { light, fits: /^\p{Script=Han}{2,6}$/u })
  if (!machine) return [chinese, ...(['latinName', 'number', 'birthDate', 'validUntil', 'country', 'sex'] as const).map(buildUnreadField)]
  const { first, second } = machine
  // Runs of < are lost in reading, so both lines are padded. The last check digit is ignored: it would be computed by us.
  const { fields, details } = parse([first.text.slice(0, 44).padEnd(44, '<'), `${second.text.slice(0, 28).padEnd(42, '<')}00`])
  const right = (field: string) => details.find((detail) => detail.field === `${field}CheckDigit`)?.valid === true
  const day = (text: string | null | undefined, latest: number) => {
    const parts = /^(\d\d)(\d\d)(\d\d)$/.exec(text ?? '')
    if (!parts) return undefined
    const year = Number(parts[1]) > latest ? `19${parts[1]}` : `20${parts[1]}`
    return parseDay(year, parts[2]!, parts[3]!)
  }
  const checked = (name: PaperField, value: string | undefined, isRight: boolean): FieldReading => {
    if (!value) return buildUnreadField(name)
    return isRight
      ? buildSureField(name, value, { line: second, proof: 'checkDigit' })
      : buildUnsureField(name, value, { line: second, reason: 'check', doubtful: [[0, value.length]] })
  }
  const number = numberField(checked('number', fields.documentNumber ?? undefined, right('documentNumber')), others)
  const thisYear = new Date().getUTCFullYear() % 100
  return [
    chinese,
    nameField(fields.lastName, fields.firstName, { line: first, others, light }),
    number,
    checked('birthDate', day(fields.birthDate, thisYear), right('birthDate')),
    checked('validUntil', day(fields.expirationDate, 99), right('expirationDate')),
    fields.nationality ? buildSureField('country', fields.nationality, { line: second, proof: 'read' }) : buildUnreadField('country'),
    fields.sex ? buildSureField('sex', fields.sex === 'male' ? '男' : '女', { line: second, proof: 'read' }) : buildUnreadField('sex'),
  ]
}

/** Compares with the number printed large; if they differ, one of them is misread. */
function numberField(field: FieldReading, others: readonly OcrLine[]): FieldReading {
  const printed = others
    .map((line) => matchPiece(line, /(?<![A-Z0-9])([A-Z]{1,2}\d{7,8})(?!\d)/)?.text ?? matchPiece(line, /([A-Z]\d{8})$/)?.text)
    .find(Boolean)
  if (!field.sure || !printed || printed.endsWith(field.value) || field.value.endsWith(printed)) return field
  return { ...field, sure: false, proof: null, reason: 'unlike', doubtful: [[0, field.value.length]] }
}

function nameField(
  last: string | null | undefined,
  first: string | null | undefined,
  { line, others, light }: { readonly line: OcrLine; readonly others: readonly OcrLine[]; readonly light: Brightness },
): FieldReading {
  if (!last) return buildUnreadField('latinName')
  const value = `${last},${first ?? ''}`
  const bare = value.replace(/[^A-Z]/g, '')
  const twice = others.some(({ text }) => text.toUpperCase().replace(/[^A-Z]/g, '') === bare)
  return twice
    ? buildSureField('latinName', value, { line, proof: 'twice' })
    : buildUnsureField('latinName', value, { line, reason: findDoubt(light, line.box), doubtful: [[0, value.length]] })
}

function chineseIn(lines: readonly OcrLine[]): OcrLine | undefined {
  const at = lines.findIndex(({ text }) => /姓名|Name/i.test(text))
  return lines.slice(Math.max(at, 0)).find(({ text }) => /^\p{Script=Han}{2,6}$/u.test(text))
}
