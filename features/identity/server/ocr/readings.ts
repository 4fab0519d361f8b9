import type { PaperReading } from '../../contract-papers.ts'
import { UNSPECIFIED_PURPOSE } from '../../contract-words.ts'
import { openText, sealText } from '../person.ts'
import type { FileRow } from '../uploads/data.ts'
import { buildUnreadField } from './fields.ts'
import { FIELDS_BY_PICTURE } from './read-paper.ts'

const READING_PURPOSE = 'identity.reading'

export const sealReading = (key: Buffer, reading: PaperReading): Buffer =>
  sealText(key, READING_PURPOSE, { owner: reading.filePath, text: JSON.stringify(reading) })
export const openReading = (key: Buffer, filePath: string, sealed: Buffer): PaperReading =>
  JSON.parse(openText(key, READING_PURPOSE, { owner: filePath, sealed })) as PaperReading

/** Reading of a picture. An unread paper has only unsure fields, so the user must confirm each of them. */
export function toPaperReading(key: Buffer, { id, purpose, sealedReading: sealed }: FileRow): PaperReading | undefined {
  if (sealed) return openReading(key, id, sealed)
  return purpose === 'photo' || purpose === 'evidence' || purpose === UNSPECIFIED_PURPOSE
    ? undefined
    : { filePath: id, purpose, fields: FIELDS_BY_PICTURE[purpose].map(buildUnreadField) }
}
