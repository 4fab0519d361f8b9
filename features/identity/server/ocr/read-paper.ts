import type Sharp from 'sharp'
import { loadPackage } from '#platform/server/load-package.ts'
import type { FieldReading } from '../../contract-papers.ts'
import type { UploadPurpose } from '../../contract-words.ts'
import { buildUnreadField } from './fields.ts'
import { readIdBack } from './id-back.ts'
import { readIdFront } from './id-front.ts'
import { measureBrightness } from './light.ts'
import type { OcrLine, OcrResult } from './lines.ts'
import { findMachineLines, readPassport } from './passport.ts'

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
